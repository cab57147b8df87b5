import { z } from 'zod'
import { id } from '../fields.ts'

export const DOSSIER_STATUSES = ['queued', 'building', 'sealed', 'failed'] as const
export type DossierStatus = (typeof DOSSIER_STATUSES)[number]
export const DOSSIER_PARTS = ['zip', 'pdf', 'pptx', 'tsr'] as const
export type DossierPart = (typeof DOSSIER_PARTS)[number]
export const DOSSIER_MIME: Record<DossierPart, string> = {
  zip: 'application/zip',
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  tsr: 'application/timestamp-reply',
}
export const DOSSIER_PART: Record<DossierPart, string> = {
  zip: 'Dossiê completo (ZIP)',
  pdf: 'Relatório (PDF)',
  pptx: 'Apresentação (PPTX)',
  tsr: 'Carimbo de tempo (RFC 3161)',
}

/** Queued or being built; a further request returns the same dossier. */
export const isUnderWay = (status: DossierStatus) => status === 'queued' || status === 'building'

/** One sealed version of an order's evidence, or one that is being built. */
export const dossierView = z.object({
  id: z.number(),
  order_id: z.number(),
  /** Version within the order, from 1; a sealed version is never changed. */
  n: z.number().int(),
  status: z.enum(DOSSIER_STATUSES),
  progress: z.number().int(),
  error: z.string().nullable(),
  created_at: z.string(),
  /** Name of the person who requested it or completed the order. */
  actor: z.string(),
  sealed_at: z.string().nullable(),
  /** Time-stamp of an authority over the manifest; null when none was asked for. */
  timestamp: z
    .object({
      /** `given_up`: the authority has not answered for a month. */
      status: z.enum(['pending', 'stamped', 'given_up']),
      stamped_at: z.string().nullable(),
      /** Who has stamped. */
      authority: z.string().nullable(),
      /** Why the last try has failed. */
      error: z.string().nullable(),
    })
    .nullable(),
  files: z.array(z.object({ part: z.enum(DOSSIER_PARTS), size: z.number(), sha256: z.string() })),
  /** The files were deleted by retention; the hashes stay. */
  is_purged: z.boolean(),
})
export type DossierView = z.output<typeof dossierView>
export const dossierList = z.object({ data: z.array(dossierView), count: z.number().int() })

/** Order and version in a path. */
export const dossierVersionParams = z.object({ id, n: id })
export const dossierPartQuery = z.object({ part: z.enum(DOSSIER_PARTS).optional() })
