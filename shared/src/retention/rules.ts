/** What is deleted by hand stays so long in the bin (D-17). */
export const BIN_DAYS = 30
/** From the day a brand's retention is switched on or changed, so long nothing is deleted by it. */
export const GRACE_DAYS = 30

export const EXPIRED_FILE =
  'Arquivo eliminado ao fim do prazo de guarda da marca. Os registros da OS continuam.'

/** What retention has to say about a completed order whose time of keeping is over. */
export type RetentionVerdict = 'due' | 'held' | 'grace' | 'sample'
export const RETENTION_VERDICT: Record<RetentionVerdict, string> = {
  due: 'a eliminar',
  held: 'em retenção judicial',
  grace: 'em carência',
  sample: 'prazo de exemplo, não confirmado',
}

const DAY_MS = 86_400_000
export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** A legal hold is stronger than any date; a date that nobody has confirmed deletes nothing. */
export function retentionVerdict(
  order: { is_held: boolean; retention_since: Date | null },
  now: Date,
): RetentionVerdict {
  if (order.is_held) return 'held'
  if (!order.retention_since) return 'sample'
  return order.retention_since > daysBefore(now, GRACE_DAYS) ? 'grace' : 'due'
}
