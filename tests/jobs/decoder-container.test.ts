import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, stat } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { programFile } from '@garantia/server/programs'
import { openDecoders } from '@garantia/worker/decoder/decoders'
import { remoteHost } from '@garantia/worker/decoder/remote'
import type { Run } from '@garantia/worker/media/media'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { processesOf } from '../support/clone.ts'
import { hungryPdf, iphoneHeic, photo, sourceOf } from '../support/media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { SIGNING_KEY } from '../support/test-app.ts'

/* The service that decodes in a container of its own, and the worker's side of it. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const dir = temporaryFolder('conteiner')
const socket = join(dir, 'decoder.sock')
/** As in a container: no capability, and with `network` false no interface but the loopback. */
function start({ network = false, env = {} }: { network?: boolean; env?: Record<string, string> } = {}) {
  const command = [
    ...(network ? [] : ['unshare', '--net']),
    ...['setpriv', '--pdeathsig', 'KILL', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'],
    ...[process.execPath, programFile(ROOT, 'decoder-service', process.env)],
  ]
  const [program = '', ...args] = command
  const { PATH, PROGRAMS_DIR } = process.env
  const child = spawn(program, args, {
    env: { PATH, PROGRAMS_DIR, DATA_DIR: join(dir, 'data'), DECODER_SOCKET: socket, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, said }))
  return { ended, kill: () => child.kill('SIGKILL'), stop: () => child.kill('SIGTERM') }
}
const host = remoteHost(socket)
const isolation = () =>
  expect.poll(() => host.isolation().catch(() => null), { timeout: 20_000, interval: 50 })

let runs = 0
async function newRun(signal = new AbortController().signal): Promise<Run> {
  const folder = join(dir, `run-${runs++}`)
  await mkdir(folder)
  return { dir: folder, signal, onProgress: () => undefined }
}
const TARGET = {
  budget_bytes: 1_000_000,
  image_formats: ['jpg'],
  video_formats: ['mp4'],
  long_side: 1920,
  keep_gps: false,
}
/** Decoding processes of this service; their folders are below its own. */
const decoding = () => processesOf(basename(dir)).length
const decoders = openDecoders(host)
afterAll(() => decoders.close())

test('a photo is read and converted, a file is refused with its reason, and the processes end with their work', async () => {
  const service = start()
  onTestFinished(() => void service.kill())
  await isolation().toBe('container')
  const jpeg = await sourceOf(await photo(dir, { name: 'foto' }), 'jpeg')
  await decoders.withTools(1, async (media) => {
    expect(await media.inspect(jpeg, await newRun())).toMatchObject({ orientation: 1 })
    const run = await newRun()
    const percents: number[] = []
    const converted = await media.convert(jpeg, TARGET, {
      ...run,
      onProgress: (percent) => percents.push(percent),
    })
    expect(converted).toMatchObject({ format: 'jpeg', size: (await stat(converted.path)).size })
    expect(percents.at(-1)).toBe(100)
    expect((await media.preview(jpeg, await newRun()))?.size).toBeGreaterThan(0)
    const text = await sourceOf(fileURLToPath(import.meta.url), 'jpeg')
    await expect(media.convert(text, TARGET, await newRun())).rejects.toMatchObject({ name: 'CannotConvert' })
  })
  const abort = new AbortController()
  const heic = await sourceOf(await iphoneHeic(dir), 'heic')
  await decoders.withTools(2, async (media) => {
    const converting = media.convert(heic, TARGET, await newRun(abort.signal))
    await sleep(200)
    abort.abort(new Error('parado pelo operador'))
    await expect(converting).rejects.toThrow('parado pelo operador')
  })
  service.stop()
  expect(await service.ended).toMatchObject({ code: 0 })
  expect(decoding()).toBe(0)
})

test('a service that ends in the middle of a file is no refusal of that file', async () => {
  const service = start()
  onTestFinished(() => void service.kill())
  await isolation().toBe('container')
  const heic = await sourceOf(await iphoneHeic(dir), 'heic')
  const failed = decoders.withTools(3, async (media) => {
    const converting = media.convert(heic, TARGET, await newRun())
    await sleep(200)
    service.kill()
    return converting
  })
  const failure = await failed.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toMatchObject({ name: 'CannotConvert' })
  await service.ended
  await expect(decoders.withTools(3, async (media) => media.inspect(heic, await newRun()))).rejects.toThrow(
    'ECONNREFUSED',
  )
})

test('a memory limit holds there too', { tags: ['exhaustive'] }, async () => {
  const service = start()
  onTestFinished(() => void service.kill())
  await isolation().toBe('container')
  const pdf = await sourceOf(await hungryPdf(dir), 'pdf')
  const refused = decoders.withTools(4, async (media) => media.convert(pdf, TARGET, await newRun()))
  await expect(refused).rejects.toMatchObject({ name: 'CannotConvert' })
})

test('with a network it says so, and with a secret it does not start', async () => {
  const service = start({ network: true })
  onTestFinished(() => void service.kill())
  await isolation().toBe('limited')
  const given = { SIGNING_KEY, DATABASE_URL_FILE: '/run/secrets/DATABASE_URL' }
  for (const [name, value] of Object.entries(given)) {
    const env = { [name]: value }
    expect(await start({ env }).ended).toEqual({
      code: 2,
      said: expect.stringContaining(
        `${name.replace('_FILE', '')} não pode estar onde arquivos de estranhos são lidos`,
      ),
    })
  }
})

/** A service that was taken over. */
async function hostile(answer: (response: ServerResponse, url: string) => void) {
  const path = join(dir, `hostil-${runs++}.sock`)
  const server: Server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.method === 'POST' && request.url === '/image')
        return response.writeHead(200, { 'x-process': 'p' }).flushHeaders()
      if (request.method === 'PUT') return response.writeHead(204).end()
      answer(response, request.url ?? '')
    })
  })
  await once(server.listen(path), 'listening')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  return openDecoders(remoteHost(path))
}
const FACTS = { width: 1, height: 1, duration_seconds: null, pages: null, captured_at: null }
const converted = {
  ...FACTS,
  file: 'converted.jpg',
  format: 'jpeg',
  reencoded: true,
  is_over_compressed: false,
}

test.each<[string, (response: ServerResponse, url: string) => void]>([
  ['no JSON', (response) => response.end('ha\n')],
  ['nothing', (response) => response.end()],
  ['an endless line', (response) => setInterval(() => response.write('x'.repeat(100_000)), 1).unref()],
  [
    'a path out of its folder',
    (response) => response.end(`${JSON.stringify({ result: { ...converted, file: '../secrets.json' } })}\n`),
  ],
  [
    'no file for its result',
    (response, url) =>
      url === '/p/'
        ? response.end(`${JSON.stringify({ result: converted })}\n`)
        : response.writeHead(404).end(),
  ],
])('what a taken-over service says is not trusted: %s', async (_, answer) => {
  const jpeg = await sourceOf(await photo(dir, { name: `foto-${runs}` }), 'jpeg')
  const decoders = await hostile(answer)
  const failure = await decoders
    .withTools(1, async (media) => media.convert(jpeg, TARGET, await newRun()))
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toMatchObject({ name: 'CannotConvert' })
})
