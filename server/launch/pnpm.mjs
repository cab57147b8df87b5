import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Problem, run } from './processes.mjs'

/**
 * Fetches a pnpm, `pnpm@VERSION+sha512.HEX` as package.json names it, and calls `work` with the path of its program,
 * which Node runs, and the environment for it. Throws Problem when npm is missing, or when what the registry sent does not have that hash.
 */
export async function withPnpm(wanted, { root, env }, work) {
  const [spec, hash] = wanted.split('+sha512.')
  const dir = mkdtempSync(join(tmpdir(), 'garantia-pnpm-'))
  try {
    const itsEnv = { ...env, ...homeEnv(root), PATH: pathWithoutOwnBin(env.PATH ?? '', root) }
    const options = {
      cwd: root,
      env: itsEnv,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    }
    const fetched = ['pack', '--silent', '--prefer-offline', '--pack-destination', dir, spec]
    const code = await run('npm', fetched, options).catch(() => {
      throw new Problem('O npm não foi encontrado. Ele acompanha o Node.js: https://nodejs.org')
    })
    const [name] = readdirSync(dir)
    if (code !== 0 || !name) throw new Problem(`O ${spec} não pôde ser baixado; o motivo está acima.`)
    const archive = join(dir, name)
    if (createHash('sha512').update(readFileSync(archive)).digest('hex') !== hash)
      throw new Problem(
        `O ${spec} que o registro entregou não é o de package.json (SHA-512): nada foi executado.`,
      )
    if ((await run('tar', ['-xzf', archive, '-C', dir], options)) !== 0)
      throw new Problem(`O ${spec} não pôde ser descompactado; o motivo está acima.`)
    const { bin } = JSON.parse(readFileSync(join(dir, 'package', 'package.json'), 'utf8'))
    return await work(join(dir, 'package', bin.pnpm), itsEnv)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * npm keeps its cache in the home folder; an account without one (a service account) gets one in the clone.
 */
function homeEnv(root) {
  try {
    accessSync(homedir(), constants.W_OK)
    return {}
  } catch {
    const HOME = join(root, 'node_modules', '.home')
    mkdirSync(HOME, { recursive: true })
    return { HOME }
  }
}

/** Without our own node_modules/.bin, whose Node must not run the installation that replaces it. */
const pathWithoutOwnBin = (path, root) =>
  path
    .split(delimiter)
    .filter((folder) => folder !== join(root, 'node_modules', '.bin'))
    .join(delimiter)
