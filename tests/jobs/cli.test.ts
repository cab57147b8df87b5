import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'
import { jobs } from './order-fixture.ts'
import { commandProcess, operatorCommand, spawnWorker, stopProcess } from './process.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const DONE = 0
const FAILED = 1
const USAGE = 2
const NOTHING = 3

const company = await testApp.make.company({ trading_name: 'Concessionária Norte' })
const order = await testApp.make.order({ os_number: '000123', company_id: company.id })
const run = (...args: string[]) => operatorCommand(testApp, args)

test('an empty queue is reported, as text and as JSON (INST-6)', async () => {
  expect(await commandProcess(testApp, ['fila'])).toEqual({ code: DONE, out: 'Fila vazia.\n', err: '' })
  expect(await run('fila', '--json')).toEqual({ code: DONE, out: '[]\n', err: '' })
})

test('an order is queued by its number (INST-6)', async () => {
  const file = await testApp.make.evidence({ order_id: order.id })
  const first = await run('converter', '--os', '000123', '--json')
  expect([first.code, JSON.parse(first.out)]).toEqual([DONE, { order_id: order.id, total_files: 1 }])
  expect(await jobs(testApp)).toMatchObject([{ key: `convert:${file.id}`, attempts: 0 }])
  expect(await run('converter', '--os', '000123')).toMatchObject({
    code: NOTHING,
    out: 'Nenhum arquivo para converter\n',
  })

  const listed = await run('fila', '--json')
  expect(JSON.parse(listed.out)).toMatchObject([
    { task: 'convert-evidence', evidence_id: file.id, running: false, attempts: 0 },
  ])
  expect((await run('fila')).out).toMatch(
    new RegExp(`^espera   convert-evidence #${file.id}  tentativa 0/15  \\d\\d/\\d\\d/\\d{4}`),
  )
})

test('an unknown order number and one of two companies are different errors (INST-6, D-11)', async () => {
  expect(await run('converter', '--os', '999999')).toMatchObject({
    code: NOTHING,
    out: 'OS 999999 não encontrada.\n',
  })
  const sameNumber = await testApp.make.order({ os_number: '000123' })
  await testApp.make.evidence({ order_id: sameNumber.id })
  const ambiguous = await run('converter', '--os', '000123', '--json')
  expect([ambiguous.code, JSON.parse(ambiguous.out)]).toMatchObject([
    USAGE,
    { error: 'ambiguous', companies: [{ trading_name: 'Concessionária Norte' }, {}] },
  ])
  const chosen = await run(
    'converter',
    '--os',
    '000123',
    '--empresa',
    String(sameNumber.company_id),
    '--json',
  )
  expect([chosen.code, JSON.parse(chosen.out)]).toEqual([DONE, { order_id: sameNumber.id, total_files: 1 }])
})

test('failed files are queued again, and a second call finds none (INST-6)', async () => {
  await testApp.make.evidence({ status: 'failed', error: 'x' })
  await testApp.make.evidence({ status: 'failed', error: 'x' })
  expect(await run('repetir', '--falhos')).toMatchObject({ code: DONE, out: '2 arquivos de 2 OS na fila.\n' })
  const again = await run('repetir', '--falhos', '--json')
  expect([again.code, JSON.parse(again.out)]).toEqual([NOTHING, { orders: 0, total_files: 0 }])
})

test('converted files are converted again only when forced (INST-6)', async () => {
  const { order_id } = await testApp.make.converted({
    order_id: (await testApp.make.order({ os_number: '000777' })).id,
  })
  expect((await run('converter', '--os', '000777')).code).toBe(NOTHING)
  const forced = await run('converter', '--os', '000777', '--forcar', '--json')
  expect([forced.code, JSON.parse(forced.out)]).toEqual([DONE, { order_id, total_files: 1 }])
})

test('a closed order is refused with the message of the screens (STA-13)', async () => {
  const { id } = await testApp.make.order({ os_number: '000888', status: 'completed' })
  await testApp.make.evidence({ order_id: id })
  expect(await run('converter', '--os', '000888')).toMatchObject({
    code: FAILED,
    out: '',
    err: 'OS concluída ou cancelada não pode ser editada\n',
  })
})

test.each([
  ['without a command', [], /^Operação|Comandos:/m],
  ['with an unknown command', ['voar'], /^comando desconhecido: voar$/m],
  ['with a command mistyped', ['repeti'], /\(Seria repetir\?\)/],
  ['with an unknown option', ['fila', '--rapido'], /^opção desconhecida: --rapido$/m],
  ['without what a command requires', ['repetir'], /^falta a opção --falhos$/m],
  ['with an option without its value', ['converter', '--os'], /^falta o valor de --os <numero>$/m],
  [
    'with a limit that is no number',
    ['fila', '--limite', 'foo'],
    /--limite <n> não serve: deve ser um número/,
  ],
  ['with a limit below one', ['fila', '--limite', '-5'], /--limite <n> não serve/],
  [
    'with a company that is no id',
    ['converter', '--os', '000123', '--empresa', 'x'],
    /--empresa <id> não serve/,
  ],
  ['with a word too much', ['fila', 'agora'], /^há palavras a mais/m],
])('a call %s is a usage error, said in Portuguese (INST-6)', async (_, args, said) => {
  const { code, err } = await run(...args)
  expect(code).toBe(USAGE)
  expect(err).toMatch(said)
  expect(err).not.toMatch(/error|Usage|Options|Commands/)
})

test('rodar is a worker until it is stopped (INST-6)', async () => {
  await using alone = await startTestApp()
  const worker = await spawnWorker(alone, {}, ['commands', 'rodar'])
  const registered = () => alone.kernel.ctx.db.selectFrom('worker_processes').selectAll().execute()
  await expect.poll(async () => (await registered()).length).toBeGreaterThan(0)
  expect(await stopProcess(worker, 'SIGTERM')).toBe(0)
})

test('help is no error, and is Portuguese (INST-6)', async () => {
  const { code, out } = await run('--help')
  expect(code).toBe(DONE)
  for (const words of [
    'Uso: npm run worker -- comando',
    'converte o que está na fila',
    'põe de novo na fila',
  ])
    expect(out).toContain(words)
  expect(out).not.toMatch(/Usage|Options|Commands|display help/)
})

test('an invalid environment and an unreachable database are failures with a reason (INST-6)', async () => {
  const wrong = await commandProcess(testApp, ['fila'], { SIGNING_KEY: 'curta' })
  expect(wrong).toMatchObject({ code: FAILED, out: '' })
  expect(wrong.err).toContain('SIGNING_KEY')
  const down = await operatorCommand(testApp, ['fila'], { DATABASE_URL: 'postgres://x@127.0.0.1:9/x' })
  expect(down).toMatchObject({ code: FAILED, out: '' })
  expect(down.err).not.toBe('')
})
