/** Days that deleted orders and files stay in the bin (D-17). */
export const BIN_DAYS = 30
/** Days without deletions after a brand's retention was switched on or changed. */
export const GRACE_DAYS = 30

export const EXPIRED_FILE =
  'Arquivo eliminado ao fim do prazo de guarda da marca. Os registros da OS continuam.'

/** Result of retention for a completed order whose retention period has ended. */
export type RetentionVerdict = 'due' | 'held' | 'grace' | 'sample'
export const RETENTION_VERDICT: Record<RetentionVerdict, string> = {
  due: 'a eliminar',
  held: 'em retenção judicial',
  grace: 'em carência',
  sample: 'prazo de exemplo, não confirmado',
}

const DAY_MS = 86_400_000
/** The time exactly `days` × 24 hours before `now`. */
export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** A legal hold takes precedence over any date; an unconfirmed sample period deletes nothing. */
export function retentionVerdict(
  order: { is_held: boolean; retention_since: Date | null },
  now: Date,
): RetentionVerdict {
  if (order.is_held) return 'held'
  if (!order.retention_since) return 'sample'
  return order.retention_since > daysBefore(now, GRACE_DAYS) ? 'grace' : 'due'
}
