import { z } from 'zod'
import { id } from './fields.ts'

/** All jobs with their payloads. The server enqueues by these names; the worker has a handler for each. */
export const JOBS = {
  'convert-evidence': z.object({ evidence_id: id }),
  'preview-evidence': z.object({ evidence_id: id }),
  'read-evidence': z.object({ evidence_id: id }),
  'read-vehicle-photo': z.object({ photo_id: id }),
  'convert-uploads': z.object({ order_id: id }),
  'recheck-orders': z.object({ brand_id: id }),
  'send-mail': z.object({ mail_id: id }),
  'mail-digests': z.object({}),
  'read-order-import': z.object({ import_id: id }),
  'import-orders': z.object({ import_id: id }),
  'read-remittance': z.object({ remittance_id: id }),
  'book-remittance': z.object({ remittance_id: id }),
  'sweep-sessions': z.object({}),
  'sweep-uploads': z.object({}),
  'empty-bin': z.object({}),
  'apply-retention': z.object({}),
  'verify-integrity': z.object({}),
  'anchor-trail': z.object({}),
  'record-present': z.object({}),
  'request-timestamps': z.object({}),
  /** Added by a trigger of events. */
  'send-webhooks': z.object({}),
  'back-up': z.object({}),
  'try-backup': z.object({}),
  'build-dossier': z.object({ dossier_id: id }),
  'build-packages': z.object({ archive_id: id }),
  'anonymise-customer': z.object({ request_id: id }),
  'export-subject': z.object({ request_id: id }),
  'note-due-of-brand': z.object({ brand_id: id }),
  /** Added by a trigger of orders whose repair ended, or which changed brand or company. */
  'note-due-of-order': z.object({ order_id: id }),
} as const
/** Queue key of a file's conversion job, of which there is at most one at a time. */
export const conversionJobKey = (evidence_id: number) => `convert:${evidence_id}`

export type JobName = keyof typeof JOBS
export type JobPayload<N extends JobName> = z.output<(typeof JOBS)[N]>
