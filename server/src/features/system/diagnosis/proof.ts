import { X509Certificate } from 'node:crypto'
import { inGroups, keyIdFrom } from '@garantia/shared/dossier/proof'
import { counted, dateTime } from '@garantia/shared/format'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { publicKeyHash, publicKeyOf } from '../../../kernel/ed25519.ts'
import { eventKey, eventKeys } from '../../../kernel/event-keys.ts'
import { authorityRoots } from '../../../kernel/time-authority.ts'
import { verifyAccounts } from '../../people/recorded-accounts/service.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const DOSSIER_KEY = 'chave dos dossiês'
const MOST_FAULTS = 10
const STAMPS = 'carimbo de tempo'
const former = (n: number) => (n === 0 ? '' : `; ${counted(n, 'anterior', 'anteriores')} para conferir`)

/** The keys by which dossiers are signed and events authenticated, by their ids, which reveal nothing of them. */
export async function keyFindings(ctx: Ctx): Promise<Finding[]> {
  const { config } = ctx
  const idOf = (key: string) => keyIdFrom(publicKeyHash(key))
  const current = idOf(publicKeyOf(config.DOSSIER_KEY))
  const known = new Set([current, ...config.DOSSIER_KEY_PREVIOUS.map(idOf)])
  const found = [
    ok(DOSSIER_KEY, `assina com ${inGroups(current)}${former(known.size - 1)}`),
    ok('chave dos eventos', `autentica com ${eventKey(config).id}${former(eventKeys(config).size - 1)}`),
  ]
  const { rows } = await sql<{ key_id: string; dossiers: number }>`
    select key_id, count(*)::int as dossiers from dossiers
    where status = 'sealed' and key_id is not null group by key_id order by key_id`.execute(ctx.db)
  for (const { key_id, dossiers } of rows.filter((row) => !known.has(row.key_id)))
    found.push(
      warning(
        DOSSIER_KEY,
        `${counted(dossiers, 'dossiê foi assinado', 'dossiês foram assinados')} pela chave ${inGroups(key_id)}, que esta casa não publica`,
        'ponha a chave pública dela em DOSSIER_KEY_PREVIOUS; veja SECURITY.md, «The key of dossiers»',
      ),
    )
  return found
}

const RIGHTS = 'direitos'
/** Checks the rights and credentials of all accounts against the trail. */
export async function rightsFindings(ctx: Ctx): Promise<Finding[]> {
  const faults = await verifyAccounts(ctx)
  if (faults.length === 0) return [ok(RIGHTS, 'contas, direitos e credenciais são os que a trilha registrou')]
  return faults
    .slice(0, MOST_FAULTS)
    .map(({ user_id, problem }) =>
      fault(RIGHTS, `pessoa id ${user_id}, ${problem}`, 'npm run worker -- verificar-cadeia'),
    )
}

/** Whom this installation asks for time-stamps, whom it trusts, and which stamps came or are awaited. */
export async function stampFindings(ctx: Ctx): Promise<Finding[]> {
  const { TSA_URL, TSA_TOKEN } = ctx.config
  if (!TSA_URL) return [ok(STAMPS, 'nenhuma autoridade (TSA_URL): a hora dos dossiês é a deste servidor')]
  const url = new URL(TSA_URL)
  const how = TSA_TOKEN ? ', com TSA_TOKEN' : url.username ? `, como ${decodeURIComponent(url.username)}` : ''
  const { rows } = await sql<{
    stamped: number
    waiting: number
    newest: Date | null
    authority: string | null
    error: string | null
  }>`
    select count(answer)::int as stamped, (count(*) - count(answer))::int as waiting, max(stamped_at) as newest,
      (array_agg(authority order by stamped_at desc nulls last))[1] as authority,
      (array_agg(error order by requested_at desc) filter (where answer is null and error is not null))[1] as error
    from dossier_timestamps`.execute(ctx.db)
  const { stamped = 0, waiting = 0, newest, authority, error } = rows[0] ?? {}
  const last = newest && authority ? `, o último em ${dateTime(newest)} por ${authority}` : ''
  const facts = `${url.host}${how}; ${await rootsOf(ctx)}; ${counted(stamped, 'dossiê carimbado', 'dossiês carimbados')}${last}`
  if (waiting === 0) return [ok(STAMPS, facts)]
  return [
    warning(
      STAMPS,
      `${facts}; ${counted(waiting, 'espera', 'esperam')}${error ? `: ${error}` : ''}`,
      'confira TSA_URL, TSA_TOKEN e TSA_ROOTS; o worker pergunta de novo de hora em hora',
    ),
  ]
}

/** Names of the certificates in TSA_ROOTS. Throws when the file cannot be read, or has none. */
async function rootsOf({ config }: Ctx) {
  const certificates = (await authorityRoots(config)).flatMap(
    (pem) => pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [],
  )
  if (!config.TSA_ROOTS) return 'confia em qualquer autoridade (TSA_ROOTS)'
  if (certificates.length === 0) throw new Error(`${config.TSA_ROOTS} não tem certificados`)
  const names = certificates.map((pem) => /CN=(.+)/.exec(new X509Certificate(pem).subject)?.[1] ?? 'sem nome')
  return `confia em ${names.join(', ')}`
}
