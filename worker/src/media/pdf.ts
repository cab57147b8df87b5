import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copied } from './copy.ts'
import { pdfDamaged, pdfDoesNotFit, pdfLocked, pdfSigned, pdfTooLarge } from './refusal.ts'
import { inThread } from './thread.ts'
import type { Converted, Facts, Run, Source, Target } from './types.ts'

export interface PdfRequest {
  path: string
  /** Where a changed copy goes, and what it may weigh; null to look only. */
  rewrite: { to: string; budget: number } | null
}
export interface PdfReport {
  pages: number | null
  /** A locked or signed PDF must not be rewritten; one that fits and only shows pages need not be. */
  outcome: 'as it is' | 'rewritten' | 'too large' | 'locked' | 'signed'
  /** Bytes of the lightest copy tried; null when none was. */
  smallest: number | null
  /** Of a rewritten one: whether its photos were pressed. */
  is_over_compressed?: boolean
}

/** A PDF is held in memory whole, twice while it shrinks. */
const MAX_PDF_BYTES = 200_000_000
const SECONDS = 300

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
 * Unchanged when it fits and only shows pages: a PDF is often a signed paper, and every change to it is a
 * loss. What runs by itself and what is attached never goes to a brand.
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
