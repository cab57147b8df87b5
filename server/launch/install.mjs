import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Problem, run, say } from './processes.mjs'

/** Installs exactly what the lockfile says, unless it is installed already. */
export async function install({ root, env }) {
  const stamp = join(root, 'node_modules', '.garantia-installed')
  const wanted = fingerprint(root)
  if (read(stamp) === wanted) return
  say('Instalando as dependências…')
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const pnpm = ['--yes', '--package', packageManager.split('+')[0], '--', 'pnpm']
  // NODE_ENV=production must not skip the packages that build the client, and there is nobody to answer a
  // prompt.
  const args = [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--prod=false',
    '--config.confirmModulesPurge=false',
  ]
  const code = await run('npm', ['exec', ...pnpm, ...args], {
    cwd: root,
    env: { ...env, ...homeEnv(root), PATH: pathWithoutOwnBin(env.PATH ?? '', root) },
    shell: process.platform === 'win32',
  }).catch(() => {
    throw new Problem('O npm não foi encontrado. Ele acompanha o Node.js: https://nodejs.org')
  })
  if (code !== 0) throw new Problem('A instalação das dependências falhou; o motivo está acima.')
  writeFileSync(stamp, wanted)
}

function fingerprint(root) {
  const manifests = readdirSync(root).map((workspace) => join(workspace, 'package.json'))
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests.sort()]
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const file of files.filter((file) => existsSync(join(root, file)))) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * npm keeps its cache in the home folder; an account without one (a service account) gets one in the clone.
 */
export function homeEnv(root) {
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
export const pathWithoutOwnBin = (path, root) =>
  path
    .split(delimiter)
    .filter((folder) => folder !== join(root, 'node_modules', '.bin'))
    .join(delimiter)
