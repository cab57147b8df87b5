import { readFile, writeFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import type { PdfOrder, PdfReport } from './pdf.ts'
import { shrinkPdf } from './pdf-shrink.ts'
import { CannotConvert, pdfDamaged } from './refusal.ts'
import type { Word } from './thread.ts'

const { path, shrink }: PdfOrder = workerData
const say = (word: Word<PdfReport>) => parentPort?.postMessage(word)

try {
  say({ result: await work() })
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  say(error instanceof CannotConvert ? { refusal: text } : { trouble: text })
}

async function work(): Promise<PdfReport> {
  const pages = await countPages(await readFile(path))
  if (pages === 'locked') return { pages: null, obstacle: 'locked', smallest: null }
  if (!shrink) return { pages, obstacle: null, smallest: null }
  const original = await readFile(path)
  const made = await shrinkPdf(original, shrink.budget, (percent) => say({ percent })).catch(
    (error: unknown) => {
      throw pdfDamaged(error) // pdf.js could open it, but nobody can rewrite it
    },
  )
  if (typeof made === 'string') return { pages, obstacle: made, smallest: null }
  if (made.bytes) {
    await writeFile(shrink.to, made.bytes)
    if ((await countPages(made.bytes)) !== pages) throw new Error('The smaller PDF lost pages')
  }
  return { pages, obstacle: null, smallest: made.smallest }
}

/** pdf.js mends broken files in silence; a file without its end or without a page is damaged to us. */
async function countPages(bytes: Uint8Array): Promise<number | 'locked'> {
  if (!Buffer.from(bytes.subarray(-2048)).includes('%%EOF')) throw pdfDamaged()
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
    if (pdf.numPages < 1) throw pdfDamaged()
    await pdf.getPage(1)
    await pdf.getPage(pdf.numPages)
    const { numPages } = pdf
    await pdf.loadingTask.destroy()
    return numPages
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return 'locked'
    throw error instanceof CannotConvert ? error : pdfDamaged(error)
  }
}
