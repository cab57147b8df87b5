import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copied } from './copy.ts'
import { pdfDamaged, pdfDoesNotFit, pdfLocked, pdfSigned, pdfTooLarge } from './refusal.ts'
import { inThread } from './thread.ts'
import type { Converted, Facts, Run, Source, Target } from './types.ts'

export interface PdfRequest {
  path: string
  /** Where to write a changed copy, and its limit in bytes; null to inspect only. */
  rewrite: { to: string; budget: number } | null
}
export interface PdfReport {
  pages: number | null
  /** A locked or signed PDF must not be rewritten; one that fits and has no active content need not be. */
  outcome: 'as it is' | 'rewritten' | 'too large' | 'locked' | 'signed'
  /** Bytes of the smallest copy tried; null when none was. */
  smallest: number | null
  /** For a rewritten one: photos were compressed for the budget. */
  is_over_compressed?: boolean
}

/** Bytes. A PDF is loaded whole into memory, twice while it is rewritten. */
const MAX_PDF_BYTES = 200_000_000
const SECONDS = 300

/** Number of pages (null when a password is needed). CannotConvert when damaged, over 200 MB or 300 s. */
export async function inspectPdf(source: Source, run: Run): Promise<Facts> {
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  return factsOf(await runPdfThread(source, null, run))
}

const factsOf = ({ pages }: PdfReport): Facts => ({
  width: null,
  height: null,
  duration_seconds: null,
  pages,
  captured_at: null,
})

/**
 * Copies the PDF unchanged when it fits and has no active content: it is often a signed document, and every
 * change is a loss. Scripts and attachments are removed before it goes to a brand. Throws CannotConvert when
 * it is damaged, over 200 MB, takes over 300 s, or does not fit and is locked or signed.
 */
export async function convertPdf(source: Source, target: Target, run: Run): Promise<Converted> {
  const budget = target.budget_bytes
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  const path = join(run.dir, 'converted.pdf')
  const made = await runPdfThread(source, { to: path, budget }, run)
  if (made.outcome === 'too large') throw pdfDoesNotFit(made.smallest ?? source.size, budget)
  if (made.outcome === 'rewritten')
    return {
      ...{ ...factsOf(made), path, size: (await stat(path)).size, format: 'pdf', reencoded: true },
      is_over_compressed: made.is_over_compressed ?? false,
    }
  if (source.size <= budget) return copied(source, factsOf(made), run)
  throw made.outcome === 'locked' ? pdfLocked() : pdfSigned(source.size, budget)
}

async function runPdfThread(source: Source, rewrite: PdfRequest['rewrite'], run: Run) {
  const timeout = AbortSignal.timeout(SECONDS * 1000)
  const request: PdfRequest = { path: source.path, rewrite }
  const entry = new URL('./pdf-thread.ts', import.meta.url)
  try {
    return await inThread<PdfReport>(entry, request, AbortSignal.any([run.signal, timeout]), run.onProgress)
  } catch (error) {
    if (timeout.aborted && !run.signal.aborted) throw pdfDamaged(error)
    throw error
  }
}
