import { startWorker } from '@garantia/worker'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const [DONE, FOUND] = [0, 4]

test('doutor says with what and how isolated a running worker reads files', async () => {
  const worker = await startWorker(testApp.kernel)
  const facts = () =>
    testApp.kernel.ctx.db.selectFrom('worker_processes').select('isolation').executeTakeFirst()
  await expect.poll(facts).toMatchObject({ isolation: expect.any(String) })
  const { code, out, err } = await operatorCommand(testApp, ['doutor'])
  expect([code, err]).toEqual([DONE, ''])
  expect(out).toMatch(/^certo {5}versão: Garantia \d+\.\d+\.\d+, Node v\d+/)
  expect(out).toMatch(
    /^(certo {5}|atenção {3})worker \d+ em .*: desde .*; leitura de arquivos: processos .*, ffmpeg .*, sharp \d/m,
  )
  expect(out).toMatch(/\n0 problemas, \d+ pontos? de atenção\.\n$/)
  await worker.stop()

  const without = await operatorCommand(testApp, ['doutor', '--json'])
  expect(without.code).toBe(FOUND)
  expect(JSON.parse(without.out)).toMatchObject({
    faults: 1,
    findings: expect.arrayContaining([
      expect.objectContaining({
        subject: 'worker',
        level: 'fault',
        advice: expect.stringContaining('npm start'),
      }),
    ]),
  })
})

test('a database that does not answer and an invalid environment are findings, not stack traces', async () => {
  const down = await operatorCommand(testApp, ['doutor'], { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' })
  expect([down.code, down.err]).toEqual([FOUND, ''])
  expect(down.out).toContain(
    'problema  banco: não respondeu como esperado: connect ECONNREFUSED 127.0.0.1:9\n',
  )
  expect(down.out).toContain('certo     disco: ')
  const wrong = await operatorCommand(testApp, ['doutor'], { SIGNING_KEY: 'curta' })
  expect([wrong.code, wrong.err]).toEqual([FOUND, ''])
  expect(wrong.out).toMatch(/problema {2}início: Configuração inválida:\n {2}SIGNING_KEY /)
})
