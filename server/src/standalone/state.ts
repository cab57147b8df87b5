import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { canReach, postgresAccount } from './account.ts'
import { SHARED_DIR } from './binaries.ts'
import { StartProblem } from './problem.ts'
import { codeOf } from './processes.ts'
import { newSecret, readSecrets, saveSecrets } from './secrets.ts'

/**
 * The folder that holds all data of this installation: DATA_DIR, else `data` in the clone. As root in a clone
 * that PostgreSQL's account cannot reach (one in /root), a folder below /var/lib/garantia.
 */
export function stateFolder({
  root,
  data_dir,
  sharedDir = SHARED_DIR,
}: {
  root: string
  data_dir?: string
  sharedDir?: string
}) {
  if (data_dir) return resolve(root, data_dir)
  const usual = join(root, 'data')
  if (canReach(root, postgresAccount(join(usual, 'postgres/data')))) return usual
  const mark = createHash('sha256').update(root).digest('hex').slice(0, 8)
  return join(sharedDir, `${basename(root)}-${mark}`)
}

/**
 * Creates `files/`, `tmp/` and `secrets.json`, closed to other users of the machine. Throws StartProblem
 * without permission.
 */
export function openState(dir: string) {
  const secrets = join(dir, 'secrets.json')
  try {
    mkdirSync(dir, { recursive: true })
    const fresh = readdirSync(dir).length === 0
    if (fresh) chmodSync(dir, process.getuid?.() === 0 ? 0o711 : 0o700)
    for (const name of ['files', 'tmp']) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 })
    const { signing_key = newSecret(), dossier_key = newSecret() } = readSecrets(secrets)
    saveSecrets(secrets, { signing_key, dossier_key })
    return { dir, postgres: join(dir, 'postgres'), secrets }
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new StartProblem(
      `Sem permissão para guardar os dados em ${dir} (${code}). Inicie como o dono da pasta, ou aponte DATA_DIR para outra.`,
    )
  }
}
