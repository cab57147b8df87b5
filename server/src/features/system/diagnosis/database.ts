import { MAY_CHANGE_EVENTS, MIGRATIONS } from '@garantia/migrations'
import { bytes, counted, integer } from '@garantia/shared/format'
import { sql } from 'kysely'
import { refuseInvalidAddress } from '../../../kernel/check-database.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const SUBJECT = 'banco'
const OLDEST_MAJOR = 15
const MOST_CLOCK_DIFFERENCE_S = 5
const LONGEST_TRANSACTION_MINUTES = 10
/** For a handful of numbers, over whatever network. */
const LATE_ANSWER_MS = 500
const LONGEST_LOCK_WAIT_S = 3

interface Facts {
  version: string
  major: number
  size: number
  is_read_only: boolean
  clock_difference: number
  connections: number
  max_connections: number
  autovacuum: string
  longest_transaction_minutes: number
  /** Statements that wait for a lock, and one of the sessions that hold it. */
  waiting: number
  holder: number | null
}

const WAITING = sql`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and query_start < clock_timestamp() - make_interval(secs => ${sql.lit(LONGEST_LOCK_WAIT_S)})`

const EVENTS = 'trilha'

/** Version, schema, clock, connections and maintenance of the database. */
export async function databaseFindings(ctx: Ctx): Promise<Finding[]> {
  refuseInvalidAddress(ctx.config.DATABASE_URL)
  const now = ctx.clock()
  const asked = performance.now()
  const { rows } = await sql<Facts>`select current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as major,
    pg_database_size(current_database()) as size,
    current_setting('transaction_read_only')::boolean as is_read_only,
    extract(epoch from clock_timestamp() - ${now})::float8 as clock_difference,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_connections')::int as max_connections,
    current_setting('autovacuum') as autovacuum,
    coalesce((select extract(epoch from max(now() - xact_start)) / 60 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()), 0)::float8 as longest_transaction_minutes,
    (select count(*)::int from ${WAITING}) as waiting,
    (select (pg_blocking_pids(pid))[1] from ${WAITING} order by query_start limit 1) as holder
    `.execute(ctx.db)
  const answer_ms = performance.now() - asked
  const [facts] = rows
  if (!facts) return []
  const found = [ok(SUBJECT, `PostgreSQL ${facts.version}, ${bytes(facts.size)}`)]
  if (facts.major < OLDEST_MAJOR)
    found.push(
      fault(
        SUBJECT,
        `o PostgreSQL é da versão ${facts.major}`,
        `atualize-o para a ${OLDEST_MAJOR} ou mais nova`,
      ),
    )
  if (facts.is_read_only)
    found.push(
      fault(
        SUBJECT,
        'só aceita leituras: nada pode ser gravado',
        'aponte DATABASE_URL para o servidor principal, ou desligue default_transaction_read_only',
      ),
    )
  if (answer_ms > LATE_ANSWER_MS)
    found.push(
      warning(
        SUBJECT,
        `responde tarde: em ${integer(answer_ms)} ms`,
        'veja disco, processador e rede do servidor do banco; «consulta lenta» no log diz quais consultas demoram',
      ),
    )
  if (facts.waiting > 0)
    found.push(
      warning(
        SUBJECT,
        `${counted(facts.waiting, 'consulta espera', 'consultas esperam')} há mais de ${LONGEST_LOCK_WAIT_S} s por uma trava da sessão ${facts.holder ?? 'que acabou de sair'}`,
        `select application_name, state, query from pg_stat_activity where pid = ${facts.holder ?? 0}; depois select pg_terminate_backend(${facts.holder ?? 0})`,
      ),
    )
  const seconds = Math.abs(facts.clock_difference)
  if (seconds > MOST_CLOCK_DIFFERENCE_S)
    found.push(
      warning(
        'relógio',
        `o desta máquina e o do banco diferem ${counted(Math.round(seconds), 'segundo', 'segundos')}`,
        'acerte os dois por NTP (timedatectl set-ntp true)',
      ),
    )
  if (facts.connections > facts.max_connections * 0.8)
    found.push(
      warning(
        SUBJECT,
        `${facts.connections} de ${facts.max_connections} conexões em uso`,
        'aumente max_connections do PostgreSQL ou reduza servidores e workers',
      ),
    )
  if (facts.autovacuum !== 'on')
    found.push(
      warning(
        SUBJECT,
        'autovacuum está desligado: tabelas e índices só crescem',
        'alter system set autovacuum = on',
      ),
    )
  if (facts.longest_transaction_minutes > LONGEST_TRANSACTION_MINUTES)
    found.push(
      warning(
        SUBJECT,
        `uma transação está aberta há ${Math.round(facts.longest_transaction_minutes)} min e segura a limpeza das tabelas`,
        'select pid, application_name, query from pg_stat_activity order by xact_start; depois select pg_terminate_backend(pid)',
      ),
    )
  const schema = await schemaFindings(ctx)
  if (schema.some(({ level }) => level === 'fault')) return [...found, ...schema]
  return [...found, ...schema, ...(await eventFindings(ctx))]
}

/** Whether whoever has the password in use can change or remove events. */
async function eventFindings(ctx: Ctx): Promise<Finding[]> {
  const { rows } = await sql.raw<{ may_change: boolean }>(MAY_CHANGE_EVENTS).execute(ctx.db)
  if (!rows[0]?.may_change)
    return [
      ok(EVENTS, 'a conta do banco em uso só acrescenta eventos e acessos: não altera nem apaga nenhum'),
    ]
  return [
    warning(
      EVENTS,
      'a conta do banco em uso pode alterar eventos e acessos: alterações são detectadas, não impedidas',
      'use duas contas: DATABASE_URL sem posse do banco e MIGRATION_DATABASE_URL do dono (docs/operating.md)',
    ),
  ]
}

async function schemaFindings(ctx: Ctx): Promise<Finding[]> {
  const { rows: found } = await sql<{ is_migrated: boolean }>`
    select to_regclass('kysely_migration') is not null as is_migrated`.execute(ctx.db)
  if (!found[0]?.is_migrated)
    return [
      fault(
        'esquema',
        'este banco nunca foi migrado',
        'confira DATABASE_URL; o servidor migra o banco ao iniciar, com a conta dona dele (MIGRATION_DATABASE_URL)',
      ),
    ]
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(ctx.db)
  const run = new Set(rows.map(({ name }) => name))
  const missing = Object.keys(MIGRATIONS).filter((name) => !run.has(name))
  const unknown = [...run].filter((name) => !(name in MIGRATIONS))
  if (unknown.length > 0)
    return [
      fault(
        'esquema',
        `o banco é de uma versão mais nova do Garantia (${unknown.join(', ')})`,
        'use o programa da versão que migrou o banco',
      ),
    ]
  if (missing.length > 0)
    return [
      fault(
        'esquema',
        `${missing.length === 1 ? 'falta' : 'faltam'} ${counted(missing.length, 'passo', 'passos')} de migração (${missing.join(', ')})`,
        'inicie o servidor desta versão: ele migra o banco',
      ),
    ]
  return [ok('esquema', `${counted(run.size, 'passo', 'passos')} de migração, nenhum faltando`)]
}
