import { sql } from 'kysely'
import {
  ACCOUNT_COLUMNS,
  type AccountColumns,
  type AccountPart,
  type AccountState,
  MAY_ADD,
  RECORDS,
  recordedParts,
  stateOf,
} from '../../../kernel/account-state.ts'
import type { Ctx } from '../../../kernel/context.ts'

const PAGE = 500
const LABEL: Record<AccountPart, string> = {
  role: 'a função',
  is_superuser: 'o superusuário',
  company_id: 'a empresa',
  is_active: 'a conta ativa',
  email: 'o login',
  password: 'a senha',
  totp: 'a verificação em duas etapas',
  recovery_codes: 'os códigos de recuperação',
  passkeys: 'as chaves de acesso',
  directory: 'o vínculo com o diretório',
  tokens: 'os tokens de API',
}
const PLAIN: AccountPart[] = ['role', 'is_superuser', 'company_id', 'is_active']
const OPENING = ['created', 'signed_up', 'account.recorded']

/** What of an account is not as the trail has recorded it. */
export interface AccountFault {
  user_id: number
  /** Sequence number of the last event that recorded it; 0 if none did. */
  seq: number
  at: Date | null
  /** With the name of the person. */
  problem: string
}

interface RecordedEvent {
  seq: number
  at: string
  kind: string
  changes: Record<string, unknown>
}
interface Row extends AccountColumns {
  /** Of the migration that began to record, and not recorded yet. */
  is_waiting: boolean
  events: RecordedEvent[]
}

/**
 * Compares the rights and credentials of each person with what the last event about each of them has recorded, and
 * names who and what differs. Of accounts that wait to be recorded after an update only what was recorded since is
 * compared.
 */
export async function verifyAccounts(ctx: Ctx): Promise<AccountFault[]> {
  const faults = await goneAccounts(ctx)
  let last = 0
  for (let rows = await pageAfter(ctx, last); rows.length > 0; rows = await pageAfter(ctx, last)) {
    for (const row of rows) faults.push(...accountFaults(ctx, row))
    last = rows.at(-1)?.id ?? last
    if (rows.length < PAGE) break
  }
  return faults
}

/** One statement, so that people and events are of one moment. */
async function pageAfter(ctx: Ctx, id: number) {
  const { rows } = await sql<Row>`
    select ${ACCOUNT_COLUMNS},
      exists (select from unrecorded where subject = 'user' and subject_id = users.id) as is_waiting,
      (select coalesce(json_agg(json_build_object('seq', seq, 'at', at, 'kind', kind, 'changes', changes) order by seq), '[]')
        from events where subject = 'user' and subject_id = users.id and kind = any(${Object.keys(RECORDS)})) as events
    from users where id > ${id} order by id limit ${PAGE}`.execute(ctx.db)
  return rows
}

type Known = Partial<{ [Part in AccountPart]: { value: AccountState[Part]; seq: number; at: Date } }>

function accountFaults(ctx: Ctx, row: Row): AccountFault[] {
  const { id, full_name, email, is_waiting, events } = row
  const fault = (seq: number, at: Date | null, problem: string): AccountFault => ({
    ...{ user_id: id, seq, at },
    problem: `${full_name || email}: ${problem}`,
  })
  if (!is_waiting && !events.some(({ kind }) => OPENING.includes(kind)))
    return [fault(0, null, 'a conta existe sem o evento que a abriu')]
  const faults: AccountFault[] = []
  const known: Known = {}
  for (const { seq, at, kind, changes } of events) {
    const moment = new Date(at)
    const recorded = (changes.recorded ?? {}) as Partial<AccountState>
    for (const part of recordedParts(kind, changes)) {
      const value = recorded[part]
      const added = addedTo(known[part]?.value, value)
      if (added > (MAY_ADD[kind] ?? 0))
        faults.push(fault(seq, moment, `antes deste evento mudaram ${LABEL[part]}, sem evento que o diga`))
      // An event of the version before says nothing of it.
      Object.assign(known, { [part]: value === undefined ? undefined : { value, seq, at: moment } })
    }
  }
  const now = stateOf(ctx.config, row)
  for (const part of Object.keys(LABEL) as AccountPart[]) {
    const before = known[part]
    if (!before || isSame(part, before.value, now[part])) continue
    const values = PLAIN.includes(part) ? ` de ${said(before.value)} para ${said(now[part])}` : ''
    faults.push(
      fault(
        before.seq,
        before.at,
        `depois deste evento mudou ${LABEL[part]}${values}, sem evento que o diga`,
      ),
    )
  }
  return faults
}

const addedTo = (before: unknown, after: unknown) =>
  Array.isArray(before) && Array.isArray(after) ? after.filter((one) => !before.includes(one)).length : 0

/** Tokens are revoked together with other things, which have their events. */
const isSame = (part: AccountPart, before: unknown, now: unknown) =>
  part === 'tokens' ? addedTo(before, now) === 0 : JSON.stringify(before) === JSON.stringify(now)

const said = (value: unknown) =>
  value === null ? 'nenhuma' : value === true ? 'sim' : value === false ? 'não' : `${value}`

/** People who are gone, though no event has deleted them. */
async function goneAccounts(ctx: Ctx): Promise<AccountFault[]> {
  const { rows } = await sql<{ id: number; seq: number; at: Date }>`
    select distinct on (subject_id) subject_id as id, seq, at from events opened
    where subject = 'user' and kind = any(${OPENING}) and jsonb_exists(changes, 'recorded')
      and not exists (select from users where users.id = opened.subject_id)
      and not exists (select from events where subject = 'user' and subject_id = opened.subject_id and kind = 'deleted')
    order by subject_id, seq desc limit 1000`.execute(ctx.db)
  return rows.map(({ id, seq, at }) => ({
    ...{ user_id: id, seq, at },
    problem: 'a conta foi apagada sem o evento que a exclui',
  }))
}
