import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withPnpm } from './pnpm.mjs'
import { Problem, run, say } from './processes.mjs'

/** Installs exactly what the lockfile says, unless it is installed already. */
export async function install({ root, env }) {
  const stamp = join(root, 'node_modules', '.garantia-installed')
  const wanted = fingerprint(root)
  if (read(stamp) === wanted) return
  say('Instalando as dependências…')
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // NODE_ENV=production must not skip the packages that build the client, and there is nobody to answer a
  // prompt.
  const args = [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--prod=false',
    '--config.confirmModulesPurge=false',
  ]
  const code = await withPnpm(packageManager, { root, env }, (pnpm, itsEnv) =>
    run(process.execPath, [pnpm, ...args], { cwd: root, env: itsEnv }),
  )
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
