import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programFile } from '@garantia/server/programs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorCommand } from '../jobs/process.ts'
import { isExhaustive } from '../support/exhaustive.ts'
import { freePort, startProduct } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * Links to a folder and files of root's in every folder that another account may write to, and root doing everything
 * that it does: what the links lead to stays as it is.
 */
const STANDALONE = programFile(fileURLToPath(new URL('../..', import.meta.url)), 'standalone', process.env)
/** Only root can try, and only where another account can read this clone. */
const canTry =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `fs.readFileSync('${STANDALONE}')`], { uid: 65534, gid: 65534 })
    .status === 0

const home = temporaryFolder('ligacoes')
const state = join(home, 'dados')
const restored = join(home, 'restaurado')
const copies = join(home, 'copias')
const rescued = join(home, 'resgate')
const canary = join(home, 'canario')
const ENV = { BACKUP_TO: copies, BACKUP_PASSPHRASE: 'uma senha de muitas palavras' }
const running: ChildProcess[] = []

afterAll(() => {
  for (const one of running) one.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const NOBODY_KNOWN = ['email', 'ninguem@garantia.test']
const PERSON = 'chefe@garantia.test'
/** What each command is run with; some find nothing, or refuse after they have opened everything. */
const COMMANDS: Record<string, string[]> = {
  rodar: [],
  repetir: ['--falhos'],
  converter: ['--os', '000001'],
  'fila listar': [],
  'fila pausar': [],
  'fila retomar': [],
  'fila repetir': ['1'],
  backup: [],
  'conferir-backup': [],
  'provar-backup': [],
  restaurar: [],
  doutor: [],
  verificar: [],
  resgatar: ['--para', rescued],
  'mover-arquivos': ['--para', 'disco'],
  limpar: ['--orfaos'],
  retencao: ['--aplicar'],
  'verificar-cadeia': [],
  'trocar-chave': [],
  'trocar-chave-dossies': [],
  'remover-demo': [],
  'lgpd-anonimizar': NOBODY_KNOWN,
  'lgpd-exportar': [...NOBODY_KNOWN, join(home, 'titular.zip')],
  'usuarios listar': [],
  'usuarios criar': ['--email', 'a@garantia.test', '--nome', 'Ana', '--papel', 'admin', '--empresa', '1'],
  'usuarios redefinir-senha': [PERSON],
  'usuarios desativar': ['ninguem@garantia.test'],
  'usuarios encerrar-sessoes': [PERSON],
  'usuarios superusuario': [PERSON],
  'webhooks listar': [],
  'webhooks criar': ['--url', 'https://example.com/garantia'],
  'webhooks mensagens': ['1'],
  'webhooks reenviar': ['1'],
  'webhooks remover': ['1'],
}

/** They open what `fila listar` opens, which does for every run. */
const LIKE_FILA = /^(fila|usuarios|webhooks|lgpd-|repetir|converter|retencao)/

/** The commands of the program, those of a group with its name, as its help lists them. */
async function commandsOf(...group: string[]): Promise<string[]> {
  const { out } = await operatorCommand({ url: '', dir: home, environment: {} }, [...group, '--help'])
  const listed = [...(out.split('Comandos:')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name]) => name ?? '',
  )
  const names: string[] = []
  for (const name of listed.filter((name) => name !== 'ajuda')) {
    const below = await commandsOf(...group, name)
    names.push(...(below.length > 0 ? below : [[...group, name].join(' ')]))
  }
  return names
}

interface Ended {
  code: number | null
  said: string
}
/** Runs a command as `npm run worker` does; `rodar` until it is ready. */
async function run(words: string[], env: Record<string, string> = {}): Promise<Ended> {
  const command = spawn(process.execPath, [STANDALONE, 'worker', ...words], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: state, LOG_LEVEL: 'info', ...ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [command.stdout, command.stderr])
    stream.on('data', (text) => {
      said += text
      if (words[0] === 'rodar' && said.includes('pronto')) command.kill('SIGTERM')
    })
  const [code] = await once(command, 'close')
  return { code, said }
}

/** The server of an installation of several, begun by root: of which account it is. */
async function serveAlone(uid: number) {
  const { port, app_password } = JSON.parse(readFileSync(join(state, 'secrets.json'), 'utf8')).database
  const DATABASE_URL = `postgres://garantia_app:${app_password}@127.0.0.1:${port}/garantia`
  const server = spawn(process.execPath, [STANDALONE, 'server'], {
    env: {
      ...process.env,
      DATABASE_URL,
      DATA_DIR: state,
      PORT: String(await freePort()),
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  running.push(server)
  await once(server, 'message')
  expect(userOf(server)).toBe(uid)
  server.kill('SIGTERM')
  await once(server, 'exit')
}

const userOf = ({ pid }: Pick<ChildProcess, 'pid'>) =>
  Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Path, owner, mode, time and content of everything in the folder. */
function snapshot(folder: string) {
  return ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
    const path = join(folder, name)
    const { uid, gid, mode, mtimeMs } = lstatSync(path)
    const content = statSync(path).isFile() && createHash('sha256').update(readFileSync(path)).digest('hex')
    return { name, uid, gid, mode, mtimeMs, content }
  })
}

/** The folders below that are not root's. Of PostgreSQL's files only the outermost: it does not bear others in all. */
function foldersOfOthers(folder: string): string[] {
  const own = lstatSync(folder).uid === 0 ? [] : [folder]
  if (folder.endsWith('/postgres/data')) return own
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [...own, ...below.flatMap(({ name }) => foldersOfOthers(join(folder, name)))]
}

/** As whoever has taken the account over, on a kernel that does not restrict hard links. */
function plant(...places: string[]) {
  const folders = places.flatMap(foldersOfOthers)
  for (const folder of folders) {
    symlinkSync(canary, join(folder, 'plantado-pasta'))
    symlinkSync(join(canary, 'arquivo'), join(folder, 'plantado-arquivo'))
    linkSync(join(canary, 'segundo'), join(folder, 'plantado-nome'))
  }
  return folders
}

/** What root has made, alone, in folders of other accounts. */
const madeByRoot = (...places: string[]) =>
  places
    .flatMap(foldersOfOthers)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => lstatSync(path).uid === 0 && !path.includes('plantado-'))

/** Exchanges folders for links and back without end, as the account. */
function exchanging(folders: string[], { uid, gid }: { uid: number; gid: number }) {
  const script = `
    const { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = fs
    const [target, ...folders] = process.argv.slice(1)
    const names = folders.flatMap((folder) => Array.from({ length: 100 }, (_, i) => folder + '/trocado-' + i))
    for (const name of names) { mkdirSync(name); writeFileSync(name + '/x', '') }
    process.stdout.write('ok')
    for (;;) for (const name of names) {
      renameSync(name, name + '~'); symlinkSync(target, name); unlinkSync(name); renameSync(name + '~', name)
    }`
  const exchanger = spawn(process.execPath, ['-e', script, canary, ...folders], { uid, gid, stdio: 'pipe' })
  running.push(exchanger)
  return exchanger
}

describe.runIf(canTry)('root, where an account has planted links', () => {
  let before: ReturnType<typeof snapshot>

  beforeAll(async () => {
    mkdirSync(canary)
    for (const name of ['arquivo', 'segundo', 'postmaster.pid', 'PG_VERSION'])
      writeFileSync(join(canary, name), 'de root', { mode: 0o600 })
    for (const path of [...readdirSync(canary), ''].map((name) => join(canary, name))) utimesSync(path, 1, 1)
    const first = await startProduct({ DATA_DIR: state, ...ENV })
    expect(await run(['backup'])).toMatchObject({ code: 0 })
    await first.stop({ keep: true })
  })

  test('starts, stops, and runs every command', async () => {
    const folders = plant(state, copies)
    for (const name of ['files', 'tmp', 'postgres', 'postgres/data'])
      expect(folders).toContain(join(state, name))
    expect(folders).toContain(copies)
    const log = join(state, 'postgres/postgres.log')
    renameSync(log, `${log}.0`)
    symlinkSync(join(canary, 'arquivo'), log)
    const { uid, gid } = statSync(join(state, 'postgres'))
    lchownSync(log, uid, gid)
    before = snapshot(canary)

    const account = statSync(join(state, 'files'))
    const exchanger = exchanging([join(state, 'tmp'), join(state, 'files')], account)
    await once(exchanger.stdout, 'data')
    for (let starts = isExhaustive ? 10 : 1; starts > 1; starts--)
      await (await startProduct({ DATA_DIR: state, ...ENV })).stop({ keep: true })
    // One of root's, into whose group the account has put a process that it has marked as the product's.
    const mark = `GARANTIA_STATE=${state} setpriv --reuid ${account.uid} --regid ${account.gid} --clear-groups`
    const foreign = spawn('sh', ['-c', `${mark} sleep 301 & exec sleep 300`], { detached: true })
    running.push(foreign)
    const product = await startProduct({ DATA_DIR: state, ...ENV })
    expect(foreign).toMatchObject({ exitCode: null, signalCode: null })
    exchanger.kill('SIGKILL')
    expect(snapshot(canary)).toEqual(before)

    try {
      const all = await commandsOf()
      expect(all.sort()).toEqual(Object.keys(COMMANDS).sort())
      const isRun = (name: string) => isExhaustive || name === 'fila listar' || !LIKE_FILA.test(name)
      const names = all.filter((name) => name !== 'restaurar' && isRun(name))
      const work = async () => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          const ended = await run([...name.split(' '), ...(COMMANDS[name] ?? [])])
          expect([name, ended.said]).toEqual([
            name,
            expect.not.stringMatching(/^error|opção desconhecida|falta /),
          ])
          expect([name, snapshot(canary)]).toEqual([name, before])
        }
      }
      await Promise.all([work(), work(), serveAlone(account.uid)])
    } finally {
      await product.stop({ keep: true })
    }
    expect(snapshot(canary)).toEqual(before)
    expect(madeByRoot(state, copies, rescued)).toEqual([])
    expect(statSync(join(state, 'secrets.json'))).toMatchObject({ uid: 0, mode: 0o100600 })
  })

  test('restores', async () => {
    const { uid, gid } = statSync(copies)
    mkdirSync(restored)
    chmodSync(restored, 0o711)
    for (const name of ['files', 'tmp']) {
      mkdirSync(join(restored, name))
      chownSync(join(restored, name), uid, gid)
    }
    plant(restored)
    const done = await run(['restaurar'], { DATA_DIR: restored })
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('secrets.json') })
    const keysIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
    expect(keysIn(restored).database.password).not.toBe(keysIn(state).database.password)
    expect(statSync(join(restored, 'secrets.json.antes-de-restaurar')).uid).toBe(0)
    expect(snapshot(canary)).toEqual(before)
    expect(madeByRoot(restored, copies)).toEqual([])
  })
})

describe.runIf(canTry)('root', () => {
  test('keeps the account that the stored files have', async () => {
    const dir = join(home, 'de-antes')
    mkdirSync(join(dir, 'files'), { recursive: true })
    chownSync(join(dir, 'files'), 65534, 65534)
    await run(['fila'], { DATA_DIR: dir })
    expect(['files', 'tmp'].map((name) => statSync(join(dir, name)).uid)).toEqual([65534, 65534])
  })

  test('keeps no data where another account could exchange the folder', async () => {
    const open = join(home, 'aberta')
    mkdirSync(open)
    chmodSync(open, 0o777)
    expect(await run(['fila'], { DATA_DIR: join(open, 'dados') })).toMatchObject({
      code: 2,
      said: expect.stringContaining('outras contas podem trocar'),
    })
  })
})
