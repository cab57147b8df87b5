import type { PackageArchives } from '@garantia/migrations/schema'
import type { LeftOutOrder } from '@garantia/shared/evidence/archive'
import { type Actor, can } from '@garantia/shared/policy'
import { EXPIRED_FILE } from '@garantia/shared/retention/rules'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { inScope } from '../../../kernel/scope.ts'
import { isStranded } from '../../../kernel/stranded.ts'

export interface ArchivedOrder {
  id: number
  os_number: string
  /** The folder of its package in the ZIP. */
  folder: string
}
export interface ArchiveRow extends Omit<Selectable<PackageArchives>, 'orders' | 'left_out'> {
  orders: ArchivedOrder[]
  left_out: LeftOutOrder[]
}

const archives = (ctx: Ctx) => ctx.db.selectFrom('package_archives').selectAll().$castTo<ArchiveRow>()

/** An archive; no permission is checked. */
export const findArchive = (ctx: Ctx, id: number) => archives(ctx).where('id', '=', id).executeTakeFirst()

/** The archives of a person that have not expired, newest first. */
export const archivesOf = (ctx: Ctx, user_id: number) =>
  archives(ctx)
    .where('user_id', '=', user_id)
    .where('expires_at', '>', ctx.clock())
    .orderBy('id', 'desc')
    .execute()

/** Orders in the caller's scope, with what decides who may read them and the state of their files. */
export const ordersWithFiles = (ctx: Ctx, ids: readonly number[]) =>
  ctx.db
    .selectFrom('service_orders')
    .leftJoin('evidence_files', (join) =>
      join
        .onRef('evidence_files.order_id', '=', 'service_orders.id')
        .on('evidence_files.deleted_at', 'is', null),
    )
    .where('service_orders.id', 'in', ids)
    .where('service_orders.deleted_at', 'is', null)
    .where(inScope(ctx.actor, 'service_orders.company_id'))
    .groupBy('service_orders.id')
    .select([
      'service_orders.id',
      'os_number',
      'company_id',
      'created_by',
      'technician_user_id',
      sql<number>`count(evidence_files.id)::int`.as('files'),
      sql<number>`(count(*) filter (where evidence_files.status = 'converted'))::int`.as('converted'),
      sql<boolean>`coalesce(bool_or(evidence_files.purged_at is not null), false)`.as('has_expired'),
      sql<number>`coalesce(sum(converted_size) filter (where evidence_files.status = 'converted'), 0)::bigint`.as(
        'bytes',
      ),
    ])
    .execute()

type OrderWithFiles = Awaited<ReturnType<typeof ordersWithFiles>>[number]

/** Why an order is not downloaded together with others, in Portuguese; null when it is. */
export function notReady(actor: Actor, order: OrderWithFiles | undefined) {
  if (!order || !can(actor, 'evidence.read', order)) return 'Ordem de serviço não encontrada'
  if (order.has_expired) return EXPIRED_FILE
  if (order.converted === 0) return 'Nenhum arquivo convertido para baixar.'
  const rest = order.files - order.converted
  if (rest === 0) return null
  return rest === 1 ? '1 arquivo ainda não foi convertido.' : `${rest} arquivos ainda não foram convertidos.`
}

/** Archives in preparation whose job is gone for good. */
export const findStranded = (ctx: Ctx) =>
  ctx.db
    .selectFrom('package_archives')
    .where('status', 'in', ['queued', 'building'])
    .where(isStranded({ id: 'package_archives.id', key: 'packages:', since: 'package_archives.created_at' }))
    .select('id')
    .execute()
