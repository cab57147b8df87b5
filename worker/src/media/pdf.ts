import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copied } from './copy.ts'
import type { Converted, Facts, Run, Source, Target } from './media.ts'
import type { Obstacle } from './pdf-shrink.ts'
import { pdfDamaged, pdfDoesNotFit, pdfLocked, pdfSigned, pdfTooLarge } from './refusal.ts'
import { inThread } from './thread.ts'

export interface PdfOrder {
  path: string
  /** Where a smaller copy goes, and what it may weigh; null to look only. */
  shrink: { to: string; budget: number } | null
}
export interface PdfReport {
  pages: number | null
  obstacle: Obstacle | null
  /** Bytes of the lightest copy tried, which was written only if it fits; null when none was. */
  smallest: number | null
}

/** A PDF is held in memory whole, twice while it shrinks. */
const MAX_PDF_BYTES = 200_000_000
const SECONDS = 300

export async function inspectPdf(source: Source, run: Run): Promise<Facts> {
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  return factsOf(await report(source, null, run))
}

const factsOf = ({ pages }: PdfReport): Facts => ({
  width: null,
  height: null,
  duration_seconds: null,
  pages,
  captured_at: null,
})

/** Unchanged when it fits: a PDF is often a signed paper, and every change to it is a loss. */
export async function convertPdf(source: Source, target: Target, run: Run): Promise<Converted> {
  const budget = target.budget_bytes
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  if (source.size <= budget) return copied(source, factsOf(await report(source, null, run)), run)

  const path = join(run.dir, 'converted.pdf')
  const made = await report(source, { to: path, budget }, run)
  if (made.obstacle === 'locked') throw pdfLocked()
  if (made.obstacle === 'signed') throw pdfSigned(source.size, budget)
  if (made.smallest === null || made.smallest > budget)
    throw pdfDoesNotFit(made.smallest ?? source.size, budget)
  return { ...factsOf(made), path, size: (await stat(path)).size, format: 'pdf', reencoded: true }
}

async function report(source: Source, shrink: PdfOrder['shrink'], run: Run) {
  const clock = AbortSignal.timeout(SECONDS * 1000)
  const order: PdfOrder = { path: source.path, shrink }
  const entry = new URL('./pdf-thread.ts', import.meta.url)
  try {
    return await inThread<PdfReport>(entry, order, AbortSignal.any([run.signal, clock]), run.onProgress)
  } catch (error) {
    if (clock.aborted && !run.signal.aborted) throw pdfDamaged(error)
    throw error
  }
}
