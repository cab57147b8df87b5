import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type Account, isOpenFor, isRoot, ownerOf, serviceAccount } from './account.ts'
import { SHARED_DIR } from './binaries.ts'
import { exchangeableFrom, prepareFolder } from './privileges.ts'
import { StartProblem } from './problem.ts'
import { codeOf } from './processes.ts'
import { newSecret, readSecrets, saveSecrets } from './secrets.ts'

/**
 * The folder that holds all data of this installation: DATA_DIR, else `data` in the clone. As root in a clone
 * that other accounts cannot reach (one in /root), a folder below /var/lib/garantia.
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
  if (isOpenFor(root, join(usual, 'postgres'))) return usual
  const mark = createHash('sha256').update(root).digest('hex').slice(0, 8)
  return join(sharedDir, `${basename(root)}-${mark}`)
}

export interface State {
  dir: string
  postgres: string
  secrets: string
  /** Of server, worker and operator commands; undefined where they run as whoever started this process. */
  account: Account | undefined
}

/**
 * Makes the state folder with `files/` and `tmp/`, closed to other users of the machine. Throws StartProblem
 * without permission, and as root where another account could exchange them.
 */
export function openFolders(root: string, dir: string): State {
  try {
    mkdirSync(dir, { recursive: true })
    const fresh = readdirSync(dir).length === 0
    if (fresh) chmodSync(dir, isRoot() ? 0o711 : 0o700)
    const folders = ['files', 'tmp'].map((name) => join(dir, name))
    if (isRoot()) refuseExchangeable(root, dir, [...folders, join(dir, 'postgres')])
    const [files = '', tmp = ''] = folders
    const read = ['node_modules', 'server/dist', 'client/dist'].map((name) => join(root, name))
    const account = serviceAccount(files, [process.execPath, dir, root, ...read.filter(existsSync)])
    if (account && account.uid === statSync(root).uid)
      throw new StartProblem(
        `Os programas em ${root} e os arquivos são da mesma conta (número ${account.uid}), e o root não roda o que ela pode alterar: inicie como ela.`,
      )
    const former = isRoot() ? ownerOf(tmp) : undefined
    // Only work in progress, of no use to another account.
    if (former && former.uid !== account?.uid) renameSync(tmp, `${tmp}.${former.uid}.${Date.now()}`)
    for (const folder of folders) prepareFolder(folder, account)
    return { dir, account, postgres: join(dir, 'postgres'), secrets: join(dir, 'secrets.json') }
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new StartProblem(
      `Sem permissão para guardar os dados em ${dir} (${code}). Inicie como o dono da pasta, ou aponte DATA_DIR para outra.`,
    )
  }
}

/** The same with `secrets.json`. */
export function openState(root: string, dir: string): State {
  const state = openFolders(root, dir)
  const { signing_key = newSecret(), dossier_key = newSecret() } = readSecrets(state.secrets)
  saveSecrets(state.secrets, { signing_key, dossier_key })
  return state
}

/** A link that root has made for one of the folders leads to another place, which counts then. */
function refuseExchangeable(root: string, dir: string, folders: string[]) {
  const places = folders.filter(existsSync).map((folder) => dirname(realpathSync(folder)))
  const owner = statSync(dir).uid
  const open = owner === 0 ? [dir, ...places].map((place) => exchangeableFrom(place, root)) : [dir]
  const found = open.find((place) => place !== undefined)
  if (found !== undefined)
    throw new StartProblem(
      `O root não guarda dados em ${dir}: outras contas podem trocar o que há em ${found}. ` +
        'Inicie como o dono da pasta, feche-a (chown root:, chmod go-w), ou aponte DATA_DIR para outra.',
    )
}
