import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, canReach } from './account.ts'
import { asAccount, prepareFolder } from './privileges.ts'
import { StartProblem } from './problem.ts'

const MAJOR = '18'

/**
 * Creates the folder, closed to other users and owned by the account that will run PostgreSQL in it. Throws
 * StartProblem when that account cannot reach it, or another user owns it.
 */
export function preparePostgresFolder(dir: string, account: Account | undefined) {
  // Folders above it that are missing stay passable: the account goes through them.
  mkdirSync(dirname(dir), { recursive: true })
  prepareFolder(dir, account)
  const owner = account?.uid ?? process.getuid?.()
  if (account && !canReach(dirname(dir), account))
    throw new StartProblem(
      `O PostgreSQL não roda como root, e a conta que o roda (uid ${account.uid}) não alcança ${dir}. ` +
        'Aponte DATA_DIR para uma pasta que outras contas possam atravessar, como /var/lib/garantia/dados.',
    )
  if (statSync(dir).uid !== owner) {
    throw new StartProblem(
      `A pasta ${dir} pertence a outro usuário. Inicie como ele, ou aponte DATA_DIR para outra pasta.`,
    )
  }
  asAccount(account, () => chmodSync(dir, 0o700))
}

/** Throws StartProblem when the data belong to another major version of PostgreSQL. */
export function refuseOtherVersion(data: string) {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (version === MAJOR) return
  throw new StartProblem(
    `Os dados em ${data} são do PostgreSQL ${version}; esta versão traz o ${MAJOR}. ` +
      'Exporte-os com pg_dump da versão antiga e importe-os em uma pasta nova.',
  )
}

/**
 * Arguments of the server: loopback only, and no socket file unless one is requested, since the length of its path is
 * limited. The log contains no values (terse, no statements), since they may be a customer's CPF.
 */
export function postgresArguments(options: {
  data: string
  port: number
  fsync: boolean
  socketDir: string | undefined
}) {
  const { data, port, fsync, socketDir } = options
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: socketDir ?? '',
    max_connections: 60,
    shared_buffers: '128MB',
    effective_cache_size: '1GB',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
