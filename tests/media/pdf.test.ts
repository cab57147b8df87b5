import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdf, renamed, sourceOf, text } from '../support/media.ts'
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

  test('whose catalogue only a lenient reader understands is copied when it fits, else refused', async () => {
    const path = await pdf(dir, { name: 'catalogo', pages: 2 })
    const whole = await readFile(path, 'latin1')
    const broken = whole.replace(/(\/Type \/Catalog\n\/Pages \d+ 0 R\n>)>/, '$1\x7f')
    expect(broken).not.toBe(whole)
    await writeFile(path, broken, 'latin1')
    expect(await convert(path, 'pdf')).toMatchObject({ pages: 2, reencoded: false })
    const budget_bytes = broken.length - 1
    expect(await reasonOf(convert(path, 'pdf', { budget_bytes }))).toContain('danificado')
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
  const CONTENT_TYPES = '[Content_Types].xml'
  const zipped = (name: string, parts: Record<string, string>) =>
    text(
      dir,
      name,
      zipSync(Object.fromEntries(Object.entries(parts).map(([part, content]) => [part, strToU8(content)]))),
    )
  const rels = (type: string, mode = 'External') =>
    `<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="http://exemplo.com/x.dotm" TargetMode="${mode}"/></Relationships>`
  const SHEET = { [CONTENT_TYPES]: '<Types/>', 'xl/workbook.xml': '<workbook/>' }

  test('is copied, or refused when it does not fit', async () => {
    const links = { 'word/_rels/document.xml.rels': rels('hyperlink') }
    const path = await zipped('planilha.xlsx', { ...SHEET, ...links })
    const made = await convert(path, 'xlsx')
    expect(made).toMatchObject({ format: 'xlsx', reencoded: false, pages: null })
    expect((await readFile(made.path)).equals(await readFile(path))).toBe(true)
    expect(await reasonOf(convert(path, 'xlsx', { budget_bytes: 100 }))).toMatch(/só restam 100 B no pacote/)
  })

  test.each([
    ['a project of macros', 'xlsx', { ...SHEET, 'xl/vbaProject.bin': 'x' }],
    [
      'a type with macros',
      'docx',
      { [CONTENT_TYPES]: '<Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>' },
    ],
    ['a template elsewhere', 'docx', { ...SHEET, 'word/_rels/settings.xml.rels': rels('attachedTemplate') }],
    ['an object elsewhere', 'pptx', { ...SHEET, 'ppt/_rels/x.rels': rels('oleObject') }],
    [
      'a program of Basic',
      'ods',
      { 'META-INF/manifest.xml': '<manifest/>', 'Basic/Standard/Module1.xml': 'x' },
    ],
    ['a script', 'odt', { 'META-INF/manifest.xml': '<manifest/>', 'Scripts/python/x.py': 'x' }],
  ] as const)('with %s is refused with the reason', async (what, format, parts) => {
    const path = await zipped(`${what.replaceAll(' ', '-')}.${format}`, parts)
    expect(await reasonOf(convert(path, format))).toMatch(
      /macros ou partes que são carregadas de outro lugar/,
    )
  })

  test('that is none, or is damaged, is refused', async () => {
    for (const path of [await pdf(dir), await zipped('outro.zip', { 'a.txt': 'x' })])
      expect(await reasonOf(convert(path, 'docx'))).toMatch(/documento está danificado/)
  })
})
