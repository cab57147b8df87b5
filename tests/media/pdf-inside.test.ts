import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  degrees,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { photo, sourceOf } from '../support/media.ts'
import { colourQuadrants } from '../support/test-image.ts'
import { convert, newFolder, reasonOf } from './media-fixtures.ts'

let dir: string
beforeAll(async () => {
  dir = await newFolder()
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const SIZE = { width: 400, height: 304 }
const pixels = async () => (await colourQuadrants(SIZE.width, SIZE.height, 60)).data
const jpeg = async (space: 'srgb' | 'b-w' | 'cmyk') =>
  sharp(await pixels(), { raw: { ...SIZE, channels: 3 } })
    .toColourspace(space)
    .jpeg({ quality: 95 })
    .toBuffer()
/** The lines of a PNG as a PDF stores them: each prefixed with its filter number, here «Up». */
async function pngLines() {
  const bare = await pixels()
  const stride = SIZE.width * 3
  const lines = Buffer.alloc((stride + 1) * SIZE.height)
  for (let y = 0; y < SIZE.height; y++) {
    lines[y * (stride + 1)] = 2
    for (let x = 0; x < stride; x++) {
      const above = y === 0 ? 0 : (bare[(y - 1) * stride + x] ?? 0)
      lines[y * (stride + 1) + 1 + x] = (bare[y * stride + x] ?? 0) - above
    }
  }
  return deflateSync(lines)
}
const BITS = deflateSync(Buffer.alloc((SIZE.width / 8) * SIZE.height, 0b10110010))
const SHADES = deflateSync(Buffer.alloc(SIZE.width * SIZE.height, 128))

/** One rotated page, with a picture of every kind that scanners and cameras put into PDFs. */
async function scanned() {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([600, 800])
  page.setRotation(degrees(90))
  page.drawText('Laudo')
  const { context } = pdf
  const add = (name: string, bytes: Uint8Array, fields: Record<string, unknown>) => {
    const dict = context.obj({
      ...{ Type: 'XObject', Subtype: 'Image', Width: SIZE.width, Height: SIZE.height, BitsPerComponent: 8 },
      ...(fields as object),
    })
    const ref = context.register(PDFRawStream.of(dict as PDFDict, bytes))
    page.node.setXObject(PDFName.of(name), ref)
    return ref
  }
  const mask = add('mascara', SHADES, { ColorSpace: 'DeviceGray', Filter: 'FlateDecode' })
  const rgb = { ColorSpace: 'DeviceRGB' }
  add('foto', await jpeg('srgb'), { ...rgb, Filter: 'DCTDecode', SMask: mask })
  add('cinza', await jpeg('b-w'), { ColorSpace: 'DeviceGray', Filter: 'DCTDecode' })
  add('duas', deflateSync(await jpeg('srgb')), { ...rgb, Filter: ['FlateDecode', 'DCTDecode'] })
  add('pixels', deflateSync(await pixels()), { ...rgb, Filter: 'FlateDecode' })
  const lines = { Predictor: 15, Colors: 3, Columns: SIZE.width }
  add('linhas', await pngLines(), { ...rgb, Filter: 'FlateDecode', DecodeParms: lines })
  add('cmyk', await jpeg('cmyk'), { ColorSpace: 'DeviceCMYK', Filter: 'DCTDecode' })
  add('bits', BITS, { ColorSpace: 'DeviceGray', Filter: 'FlateDecode', BitsPerComponent: 1 })
  add('recorte', await jpeg('srgb'), { ...rgb, Filter: 'DCTDecode', Mask: [0, 9, 0, 9, 0, 9] })
  const path = join(dir, 'digitalizado.pdf')
  await writeFile(path, await pdf.save({ addDefaultPage: false }))
  return path
}

async function picturesOf(path: string) {
  const pdf = await PDFDocument.load(await readFile(path))
  const page = pdf.getPage(0)
  const found = page.node.Resources()?.lookup(PDFName.of('XObject'), PDFDict).entries() ?? []
  const pictures = new Map<string, PDFRawStream>()
  for (const [name, ref] of found)
    pictures.set(name.decodeText(), pdf.context.lookup(ref as PDFRef) as PDFRawStream)
  return { page, pictures }
}
const filterOf = (picture: PDFRawStream | undefined) => String(picture?.dict.get(PDFName.of('Filter')))
async function quartersIn(picture: PDFRawStream | undefined) {
  const { data, info } = await sharp(picture?.contents)
    .resize(2, 2, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Array.from({ length: 4 }, (_, n) => {
    const [r = 0, g = 0, b = 0] = data.subarray(n * info.channels)
    return Math.min(r, g, b) > 130 ? 'white' : r > g && r > b ? 'red' : g > b ? 'green' : 'blue'
  }).join(' ')
}

test('a scanned PDF is compressed image by image: photos shrink; masks, CMYK, 1-bit images and rotated pages stay', async () => {
  const path = await scanned()
  const before = await picturesOf(path)
  const { size } = await sourceOf(path, 'pdf')
  const made = await convert(path, 'pdf', { budget_bytes: Math.floor(size * 0.45) })
  expect(made).toMatchObject({ reencoded: true, is_over_compressed: true, pages: 1 })
  expect(made.size).toBeLessThanOrEqual(size * 0.45)
  const { page, pictures } = await picturesOf(made.path)
  expect(page.getRotation().angle).toBe(90)
  for (const name of ['foto', 'cinza', 'duas', 'pixels', 'linhas']) {
    const picture = pictures.get(name)
    expect(filterOf(picture), name).toBe('/DCTDecode')
    expect(picture?.contents.length, name).toBeLessThan(before.pictures.get(name)?.contents.length ?? 0)
    const { width, height, channels } = await sharp(picture?.contents).metadata()
    expect([name, channels]).toEqual([name, name === 'cinza' ? 1 : 3])
    const figures = ['Width', 'Height'].map((key) =>
      picture?.dict.lookup(PDFName.of(key), PDFNumber).asNumber(),
    )
    expect(figures).toEqual([width, height])
    if (name !== 'cinza') expect(await quartersIn(picture), name).toBe('red green blue white')
  }
  expect(pictures.get('foto')?.dict.has(PDFName.of('SMask'))).toBe(true)
  for (const name of ['mascara', 'cmyk', 'bits', 'recorte'])
    expect(
      Buffer.compare(pictures.get(name)?.contents ?? BITS, before.pictures.get(name)?.contents ?? SHADES),
      name,
    ).toBe(0)
})

test('a PDF is compressed no more than its budget requires', async () => {
  const pdf = await PDFDocument.create()
  for (let n = 0; n < 3; n++) {
    const shot = await photo(dir, { name: `folha-${n}`, width: 640, height: 480, noise: 60 })
    pdf.addPage([595, 842]).drawImage(await pdf.embedJpg(await readFile(shot)), { width: 595, height: 400 })
  }
  const path = join(dir, 'fotos.pdf')
  await writeFile(path, await pdf.save())
  const { size } = await sourceOf(path, 'pdf')
  for (const part of [0.8, 0.45, 0.2]) {
    const { size: used } = await convert(path, 'pdf', { budget_bytes: Math.floor(size * part) })
    expect([part, used <= size * part, used >= size * part * 0.7]).toEqual([part, true, true])
  }
})

/** A script on opening, one in a button, a program launch, a form submission, an attached file. */
async function armed(name: string, change: (pdf: PDFDocument) => void | Promise<void>) {
  const pdf = await PDFDocument.create()
  pdf.addPage([300, 300]).drawText('Nota fiscal')
  await change(pdf)
  const path = join(dir, `${name}.pdf`)
  await writeFile(path, await pdf.save())
  return path
}
const button = (pdf: PDFDocument, action: Record<string, unknown>) => {
  const page = pdf.getPage(0)
  const annotation = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], A: action }
  page.node.set(PDFName.of('Annots'), pdf.context.obj([annotation as never]))
}
const SECRET = 'MZ um programa escondido'
const arms: [string, RegExp, (pdf: PDFDocument) => void | Promise<void>][] = [
  ['a script', /JavaScript/, (pdf) => pdf.addJavaScript('abrir', 'app.alert("roubar")')],
  [
    'an action at its opening',
    /SubmitForm/,
    (pdf) =>
      void pdf.catalog.set(
        PDFName.of('OpenAction'),
        pdf.context.obj({ S: 'SubmitForm', F: PDFString.of('http://a.invalid') }),
      ),
  ],
  [
    'a program to start',
    /Launch|cmd\.exe/,
    (pdf) => button(pdf, { S: 'Launch', F: PDFString.of('cmd.exe') }),
  ],
  [
    'a script behind the turning of a page',
    /roubar/,
    (pdf) =>
      void pdf
        .getPage(0)
        .node.set(
          PDFName.of('AA'),
          pdf.context.obj({ O: { S: 'JavaScript', JS: PDFString.of('roubar()') } }),
        ),
  ],
  ['an attached file', /MZ um programa|EmbeddedFile/, (pdf) => pdf.attach(Buffer.from(SECRET), 'nota.exe')],
]

test.each(arms)(
  '%s is removed in the package: the copy shows the same page without it',
  async (name, trace, change) => {
    const path = await armed(name, change)
    expect(await textOf(path), 'the original has it').toMatch(trace)
    const made = await convert(path, 'pdf')
    expect(made).toMatchObject({ reencoded: true, is_over_compressed: false, pages: 1 })
    expect(await textOf(made.path)).not.toMatch(trace)
    expect(await convert(made.path, 'pdf')).toMatchObject({ reencoded: false })
  },
)

/** Every object of the file, decompressed. */
async function textOf(path: string) {
  const pdf = await PDFDocument.load(await readFile(path))
  return pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) =>
      object instanceof PDFRawStream
        ? `${object.dict} ${Buffer.from(decodePDFRawStream(object).decode()).toString('latin1')}`
        : String(object),
    )
    .join('\n')
}

test('links to a page and to the web are not active content: such a PDF is copied unchanged', async () => {
  const path = await armed('ligacoes', (pdf) => {
    const ref = pdf.getPage(0).ref
    pdf.catalog.set(PDFName.of('OpenAction'), pdf.context.obj([ref, PDFName.of('Fit')]))
    button(pdf, { S: 'URI', URI: PDFString.of('https://marca.invalid') })
  })
  expect(await convert(path, 'pdf')).toMatchObject({ reencoded: false })
})

test('a signed PDF with a script can be neither sent nor changed, and the refusal says what to do', async () => {
  const path = await armed('assinado', (pdf) => {
    pdf.addJavaScript('abrir', 'app.alert(1)')
    pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: [], SigFlags: 3 }))
  })
  expect(await reasonOf(convert(path, 'pdf'))).toBe(
    'O PDF contém programas ou anexos e não pode ser alterado. Imprima-o como um novo PDF e envie esse arquivo.',
  )
})

test('a PDF whose user password is empty opens everywhere, and loses its programs like any other', async () => {
  const document = await PDFDocument.create()
  document.addPage([200, 200]).drawText('Laudo')
  document.addJavaScript('corre', 'app.alert(1)')
  document.encrypt({ userPassword: '', ownerPassword: 'dono' })
  const path = join(dir, 'sem-senha.pdf')
  await writeFile(path, await document.save())
  const made = await convert(path, 'pdf')
  expect(made).toMatchObject({ reencoded: true, pages: 1 })
  const cleaned = await PDFDocument.load(await readFile(made.path))
  expect(cleaned.isEncrypted).toBe(false)
  expect(String(cleaned.catalog)).not.toContain('JavaScript')
  expect((await readFile(made.path)).includes('app.alert')).toBe(false)
})
