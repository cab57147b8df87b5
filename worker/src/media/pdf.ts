import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copied } from './copy.ts'
import type { PdfReport, PdfRequest } from './pdf-work.ts'
import { pdfDoesNotFit, pdfLocked, pdfSigned, pdfTooLarge } from './refusal.ts'
import type { Converted, Facts, Run, Source, Target } from './types.ts'

/** Bytes. A PDF is loaded whole into memory, twice while it is rewritten. */
const MAX_PDF_BYTES = 200_000_000

/** Number of pages (null when a password is needed). CannotConvert when damaged or over 200 MB. */
export async function inspectPdf(source: Source, run: Run): Promise<Facts> {
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  return factsOf(await examine(source, null, run))
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
 * it is damaged, over 200 MB, or does not fit and is locked or signed.
 */
export async function convertPdf(source: Source, target: Target, run: Run): Promise<Converted> {
  const budget = target.budget_bytes
  if (source.size > MAX_PDF_BYTES) throw pdfTooLarge(source.size, MAX_PDF_BYTES)
  const path = join(run.dir, 'converted.pdf')
  const made = await examine(source, { to: path, budget }, run)
  if (made.outcome === 'too large') throw pdfDoesNotFit(made.smallest ?? source.size, budget)
  if (made.outcome === 'rewritten')
    return {
      ...{ ...factsOf(made), path, size: (await stat(path)).size, format: 'pdf', reencoded: true },
      is_over_compressed: made.is_over_compressed ?? false,
    }
  if (source.size <= budget) return copied(source, factsOf(made), run)
  throw made.outcome === 'locked' ? pdfLocked() : pdfSigned(source.size, budget)
}

async function examine(source: Source, rewrite: PdfRequest['rewrite'], run: Run) {
  run.signal.throwIfAborted()
  // Its libraries are as large as all others together, and most files are photos.
  const { processPdf } = await import('./pdf-work.ts')
  return processPdf({ path: source.path, rewrite }, (percent) => {
    run.signal.throwIfAborted()
    run.onProgress(percent)
  })
}
