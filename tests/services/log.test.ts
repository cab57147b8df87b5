import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LOG = fileURLToPath(new URL('../../server/src/kernel/log.ts', import.meta.url))
const start = (end: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', program(end)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
const program = (end: string) => `
  const { openLog } = await import(${JSON.stringify(LOG)})
  const log = openLog('info', 'teste')
  for (const line of ['um', 'dois']) log.info(line)
  ${end}`
const messagesIn = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)

test.each(['', 'process.exit(3)', "throw new Error('fim')"])(
  'lines that were gathered are written when the process ends: %s',
  async (end) => {
    expect(messagesIn(await text(start(end).stdout))).toEqual(['um', 'dois'])
  },
)

test('lines that were gathered are written while the process goes on', async () => {
  const child = start('setInterval(() => undefined, 60_000)')
  const [chunk] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  expect(messagesIn(String(chunk))).toEqual(['um', 'dois'])
})
