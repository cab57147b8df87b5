import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdf, renamed, sourceOf } from '../support/media.ts'
import { convert, media, newFolder, newRun, reasonOf } from './media-fixtures.ts'

let dir: string
let heavy: string
beforeAll(async () => {
  dir = await newFolder()
  heavy = await pdf(dir, { name: 'pesado', pages: 3, photo: { width: 1600, height: 1200 } })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('a PDF', () => {
  test('that fits is copied byte for byte', async () => {
    const path = await pdf(dir, { pages: 3 })
    const made = await convert(path, 'pdf')
    expect(made).toMatchObject({
      pages: 3,
      format: 'pdf',
      reencoded: false,
      is_over_compressed: false,
      width: null,
    })
    expect((await readFile(made.path)).equals(await readFile(path))).toBe(true)
    expect(await media.inspect(await sourceOf(path, 'pdf'), await newRun())).toMatchObject({ pages: 3 })
  })

  test('full of photos is compressed to fit, with all its pages', async () => {
    const { size } = await sourceOf(heavy, 'pdf')
    for (const budget_bytes of [Math.floor(size / 2), Math.floor(size / 8)]) {
      const made = await convert(heavy, 'pdf', { budget_bytes })
      expect(made).toMatchObject({ pages: 3, reencoded: true, is_over_compressed: true })
      expect(made.size).toBeLessThanOrEqual(budget_bytes)
      expect((await readFile(made.path)).length).toBe(made.size)
      expect((await PDFDocument.load(await readFile(made.path))).getPageCount()).toBe(3)
    }
  })

  test('that cannot fit is refused with the sizes', async () => {
    expect(await reasonOf(convert(heavy, 'pdf', { budget_bytes: 5_000 }))).toMatch(
      /^O PDF só pôde ser reduzido a [\d,]+ [KM]B e restam 5 KB no pacote: divida-o ou remova páginas\.$/,
    )
  })

  test('with a password is copied unchanged when it fits, and refused with the reason when it does not', async () => {
    const path = await pdf(dir, { name: 'senha', password: 'segredo' })
    expect(await convert(path, 'pdf')).toMatchObject({ pages: null, reencoded: false })
    expect(await reasonOf(convert(path, 'pdf', { budget_bytes: 500 }))).toMatch(/protegido por senha/)
  })

  test('that is signed is never rewritten', async () => {
    const document = await PDFDocument.load(await readFile(heavy))
    document.catalog.set(document.context.obj('AcroForm'), document.context.obj({ Fields: [], SigFlags: 3 }))
    const path = join(dir, 'assinado.pdf')
    await writeFile(path, await document.save())
    expect(await reasonOf(convert(path, 'pdf', { budget_bytes: 100_000 }))).toMatch(/tem assinatura digital/)
  })

  test('without pages is refused', async () => {
    const path = join(dir, 'vazio.pdf')
    const document = await PDFDocument.create()
    await writeFile(path, await document.save({ addDefaultPage: false }))
    expect(await reasonOf(convert(path, 'pdf'))).toMatch(/sem páginas/)
  })

  test('and a document have no preview and no refusal for it', async () => {
    const broken = await renamed(dir, heavy, 'quebrado.docx')
    expect(await media.preview(await sourceOf(heavy, 'pdf'), await newRun())).toBeNull()
    expect(await media.preview(await sourceOf(broken, 'docx'), await newRun())).toBeNull()
  })
})

describe('a document', () => {
  test('is copied, or refused when it does not fit', async () => {
    const path = await renamed(dir, await pdf(dir), 'planilha.xlsx')
    const made = await convert(path, 'xlsx')
    expect(made).toMatchObject({ format: 'xlsx', reencoded: false, pages: null })
    expect((await readFile(made.path)).equals(await readFile(path))).toBe(true)
    expect(await reasonOf(convert(path, 'xlsx', { budget_bytes: 100 }))).toMatch(/só restam 100 B no pacote/)
  })
})
