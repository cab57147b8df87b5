import { readFile, writeFile } from 'node:fs/promises'
import { PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import { getDocumentProxy } from 'unpdf'
import { type Active, dropUnused, isSigned, removeActiveContent } from './pdf-active.ts'
import { shrinkPdf } from './pdf-shrink.ts'
import { CannotConvert, pdfActive, pdfDamaged } from './refusal.ts'

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

/** Inspects a PDF and, where asked, writes a copy without active content. Throws CannotConvert when damaged. */
export async function processPdf(
  { path, rewrite }: PdfRequest,
  onPercent: (percent: number) => void,
): Promise<PdfReport> {
  const looked = await look(await readFile(path))
  if (looked === 'locked') return { pages: null, outcome: 'locked', smallest: null }
  const { pages, active } = looked
  if (!rewrite) return { pages, outcome: 'as it is', smallest: null }
  const original = await readFile(path)
  const fits = original.length <= rewrite.budget
  // pdf.js has opened it without a password: a user password that is empty hides nothing from a reader.
  const pdf = await load(original).catch((error: unknown) => error)
  if (!(pdf instanceof PDFDocument)) {
    // pdf.js could open it, but pdf-lib cannot rewrite it.
    if (!fits) throw pdfDamaged(pdf)
    if (active.programs || active.attachments) throw pdfActive()
    return { pages, outcome: 'as it is', smallest: null }
  }
  const found = removeActiveContent(pdf)
  if (isSigned(pdf)) {
    if (found.programs) throw pdfActive()
    return { pages, outcome: 'signed', smallest: null }
  }
  if (fits && !found.programs && !found.attachments) return { pages, outcome: 'as it is', smallest: null }
  dropUnused(pdf)
  const { bytes, smallest, is_over_compressed } = await shrinkPdf(pdf, rewrite.budget, onPercent)
  if (!bytes) return { pages, outcome: 'too large', smallest }
  await writeFile(rewrite.to, bytes)
  const made = await look(bytes)
  if (made === 'locked' || made.pages !== pages) throw new Error('The smaller PDF lost pages')
  return { pages, outcome: 'rewritten', smallest, is_over_compressed }
}

/** Rejects a file whose catalogue is no dictionary, too: pdf-lib takes any object for it. */
async function load(original: Uint8Array) {
  const pdf = await PDFDocument.load(original, { password: '', updateMetadata: false })
  if (!(pdf.catalog instanceof PDFDict)) throw new Error('The catalogue is no dictionary')
  return pdf
}

/**
 * pdf.js repairs broken files silently; a file without %%EOF at its end or without pages counts as damaged.
 */
async function look(bytes: Uint8Array): Promise<{ pages: number; active: Active } | 'locked'> {
  if (!Buffer.from(bytes.subarray(-2048)).includes('%%EOF')) throw pdfDamaged()
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    const { numPages: pages } = pdf
    if (pages < 1) throw pdfDamaged()
    await pdf.getPage(1)
    await pdf.getPage(pages)
    const active = { programs: await pdf.hasJSActions(), attachments: (await pdf.getAttachments()) !== null }
    await pdf.loadingTask.destroy()
    return { pages, active }
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return 'locked'
    throw error instanceof CannotConvert ? error : pdfDamaged(error)
  }
}
