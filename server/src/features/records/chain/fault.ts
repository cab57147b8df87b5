import type { EventSubject } from '@garantia/migrations/schema'

export interface ChainFault {
  /** `journal` is an entry of the journal itself, `security` a batch of the security log. */
  subject: EventSubject | 'journal' | 'security'
  subject_id: number
  /** The order whose trail it is; null for everything else. */
  order_id: number | null
  /** The event's number in its chain, or the place of an entry in its batch; 0 when the whole chain is missing, or the fault is of no single event. */
  seq: number
  /** The moment of the event, or of what contradicts it; null when nothing tells. */
  at: Date | null
  problem: string
}

export const faultOf = (
  { subject, subject_id }: Pick<ChainFault, 'subject' | 'subject_id'>,
  seq: number,
  at: Date | null,
  problem: string,
): ChainFault => ({
  subject,
  subject_id,
  order_id: subject === 'order' ? subject_id : null,
  seq,
  at,
  problem,
})
