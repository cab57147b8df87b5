import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DossierBuild } from '@garantia/server/features/records/dossier'
import { EVIDENCE_CATEGORIES } from '@garantia/shared/evidence/category'
import { writeReport } from '@garantia/worker/dossier/report'
import { writeSlides } from '@garantia/worker/dossier/slides'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dossierBuild, dossierFile, dossierPreparation } from './support/dossier-build.ts'
import { count } from './support/exhaustive.ts'
import { type PageBox, pdfBoxes } from './support/pdf-boxes.ts'

const AT = new Date('2026-11-23T17:05:00Z')
/** Landscape, portrait, panorama, a tall strip, a square and a thumbnail. */
const SHAPES = [
  [1200, 900],
  [900, 1200],
  [1600, 200],
  [160, 1200],
  [700, 700],
  [64, 48],
] as const
let dir: string
let pictures: { data: Buffer; width: number; height: number }[]
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dossie-'))
  pictures = await Promise.all(
    SHAPES.map(async ([width, height]) => {
      // Fewer pixels than it says, for reading the PDF is most of the time here.
      const [w, h] = [Math.ceil(width / 10), Math.ceil(height / 10)]
      const create = { width: w, height: h, channels: 3, background: '#7799bb' } as const
      return { data: await sharp({ create }).jpeg().toBuffer(), width, height }
    }),
  )
})
afterAll(() => rm(dir, { recursive: true }))

/** The picture of a file, chosen by its id; every seventh is unreadable. */
const pictureOf = async (id: number) => (id % 7 === 0 ? null : (pictures[id % pictures.length] ?? null))
/** The dealership's logo, of the shape whose number is its size; none without one. */
const logoOf = ({ logo }: DossierBuild) => (logo && pictures[logo.size]) ?? null
let reports = 0
async function report(build: DossierBuild) {
  const path = join(dir, `dossie-${reports++}.pdf`)
  await writeReport(build, dossierPreparation(build, AT), { pictureOf, logo: logoOf(build) }, path)
  return pdfBoxes(await readFile(path))
}

const overlaps = (a: PageBox, b: PageBox, by = 0.5) =>
  a.left + by < b.right && b.left + by < a.right && a.bottom + by < b.top && b.bottom + by < a.top
const isThin = ({ left, right, bottom, top }: PageBox) => top - bottom < 3 || right - left < 3
const shown = ({ kind, text, left, bottom }: PageBox) =>
  `${kind} «${text.slice(0, 40)}» at ${left.toFixed(0)}, ${bottom.toFixed(0)}`

/** What is wrong with the layout of a report: boxes over each other, or outside of the page. */
async function faultsOf(build: DossierBuild) {
  const faults: string[] = []
  for (const [number, { width, height, boxes }] of (await report(build)).entries()) {
    for (const box of boxes)
      if (box.left < 0 || box.bottom < 0 || box.right > width || box.top > height)
        faults.push(`page ${number + 1}: ${shown(box)} leaves the page`)
    for (const [place, a] of boxes.entries())
      for (const b of boxes.slice(place + 1)) {
        const lines = [a, b].filter(({ kind }) => kind === 'line')
        // A filled box may have text inside of it; a line may not.
        if (lines.length === 2 || lines.some((line) => !isThin(line))) continue
        if (overlaps(a, b, lines.length > 0 ? 0 : 0.5))
          faults.push(`page ${number + 1}: ${shown(a)} over ${shown(b)}`)
      }
  }
  return faults
}

const text = (maxLength: number) =>
  fc.oneof(
    fc.constant(null),
    fc.string({ maxLength, unit: fc.constantFrom('W', 'i', ' ', 'ç', '\n', '漢', 'm') }),
    fc.constant('M'.repeat(maxLength)),
  )
const files = fc.array(
  fc.record({
    evidence_category: fc.option(fc.constantFrom(...EVIDENCE_CATEGORIES)),
    description: text(500),
    file_type: fc.constantFrom('image', 'image', 'image', 'video', 'pdf', 'document'),
    original_filename: fc.constantFrom('a.jpg', `${'M'.repeat(176)}.jpg`, 'foto da peça.heic'),
    duration_seconds: fc.option(fc.constant(4321)),
    captured_at: fc.option(fc.constant(AT)),
    camera: text(120),
    orientation: fc.option(fc.constantFrom(1, 6)),
    rotation: fc.constantFrom(0, 90, 180),
    has_location: fc.boolean(),
  }),
  { maxLength: 12 },
)
const builds = fc
  .record({
    files,
    name: fc.constantFrom('Sol', 'Concessionária '.repeat(17), 'W'.repeat(120)),
    address: text(255),
    story: text(600),
    customer: text(255),
    events: fc.nat({ max: 60 }),
    logo: fc.option(fc.nat({ max: SHAPES.length - 1 })),
  })
  .map(({ logo, files, name, address, story, customer, events }) => {
    const plain = dossierBuild()
    return dossierBuild({
      files: files.map((fields, place) =>
        dossierFile(place + 1, fields as never, place % 3 === 0 ? `${'N'.repeat(180)}.jpg` : undefined),
      ),
      company: { ...plain.company, trading_name: name, address, city: null, phone: null },
      logo: logo === null ? null : { key: 'logo', format: 'png', size: logo },
      order: {
        ...plain.order,
        company: name,
        customer_name: customer,
        technician_name: customer,
        problem_description: story,
        diagnosis: story,
      },
      history: Array.from({ length: events }, () => ({ at: AT, actor: name, text: 'Envio de 3 arquivos.' })),
      left_out: files.length > 3 ? [dossierFile(99, { original_filename: 'M'.repeat(180) }).row] : [],
    })
  })

describe('the report (beyond 1.3)', () => {
  test('has no box over another and none outside of its page, whatever it is about', async () => {
    await fc.assert(
      fc.asyncProperty(builds, async (build) => {
        expect(await faultsOf(build)).toEqual([])
      }),
      { numRuns: count({ exhaustive: 6, default: 2 }), endOnFailure: true },
    )
  })

  test('shows two photos a page, uncropped and large, also two hundred', async () => {
    const build = dossierBuild({ files: Array.from({ length: 200 }, (_, place) => dossierFile(place + 1)) })
    const pages = await report(build)
    const drawn = pages.map(({ boxes }) => boxes.filter(({ kind }) => kind === 'picture'))
    expect(Math.max(...drawn.map(({ length }) => length))).toBe(2)
    const all = drawn.flat().map(({ left, right, bottom, top }) => ({ w: right - left, h: top - bottom }))
    expect(all).toHaveLength(200 - Math.floor(200 / 7))
    const ratios = new Set(all.map(({ w, h }) => (w / h).toFixed(2)))
    expect(ratios).toEqual(new Set(SHAPES.map(([w, h]) => (w / h).toFixed(2))))
    // Three quarters of the page's width, or half of its height.
    const [landscape, portrait] = ['1.33', '0.75'].map((ratio) =>
      all.filter(({ w, h }) => (w / h).toFixed(2) === ratio && w > 100),
    )
    expect(Math.min(...(landscape ?? []).map(({ w }) => w))).toBeGreaterThan(340)
    expect(Math.min(...(portrait ?? []).map(({ h }) => h))).toBeGreaterThan(330)
  })

  test('says where each part begins, who hands it over and how many pages there are', async () => {
    const files = Array.from({ length: 12 }, (_, place) =>
      dossierFile(place + 1, { evidence_category: place < 6 ? 'odometro' : 'chassi' }),
    )
    const confirmed = 'Leitura automática: …123456. Confere com a OS.'
    const pages = await report(
      dossierBuild({ files: files.map((file, place) => (place === 6 ? { ...file, confirmed } : file)) }),
    )
    const texts = pages.map(({ boxes }) =>
      boxes.filter(({ kind }) => kind === 'text').map(({ text }) => text),
    )
    expect(texts[0]).toEqual(
      expect.arrayContaining(['Concessionária Sol', 'Sol Veículos Ltda · CNPJ 11.222.333/0001-81']),
    )
    const flat = texts.flat()
    expect(flat.slice(flat.indexOf('Sumário'))).toEqual(
      expect.arrayContaining(['Relato e exigências da marca', 'Chassi Visível', 'Odômetro', 'Histórico']),
    )
    // The brand requires the chassis, so it comes first.
    const captions = texts.flatMap((page, place) => page.map((text) => [text, place + 1] as const))
    const pageOf = (caption: string) => captions.find(([text]) => text === caption)?.[1]
    const listed = flat[flat.indexOf('Odômetro') + 1]
    expect(pageOf('1. Chassi Visível')).toBeLessThan(pageOf('7. Odômetro') ?? 0)
    expect(listed).toBe(String(pageOf('7. Odômetro')))
    // What was read in a photo stands in its caption, and what that means beside the hashes.
    expect(flat).toContain(confirmed)
    expect(flat.join(' ')).toContain('Não diz que a foto é autêntica')
    expect(flat).toContain(`página 2 de ${pages.length}`)
    expect(flat.filter((text) => text === 'ab'.repeat(32))).toHaveLength(12)
  })
})

interface Shape {
  x: number
  y: number
  w: number
  h: number
}
const decoder = new TextDecoder()
async function slides(build: DossierBuild) {
  const path = join(dir, `dossie-${reports++}.pptx`)
  const sources = {
    sourceOf: (id: number) => ({ path: String(id), format: 'jpeg' as const, size: 1 }),
    readPicture: ({ path }: { path: string }) => pictureOf(Number(path)),
    logo: logoOf(build),
  }
  await writeSlides(build, sources, path, 50, AT)
  const entries = unzipSync(await readFile(path))
  return Object.entries(entries)
    .filter(([name]) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
    .map(([, bytes]) => {
      const xml = decoder.decode(bytes)
      const shapes: Shape[] = [
        ...xml.matchAll(/<a:off x="(-?\d+)" y="(-?\d+)"\/><a:ext cx="(\d+)" cy="(\d+)"\/>/g),
      ].map(([, x, y, w, h]) => ({ x: Number(x), y: Number(y), w: Number(w), h: Number(h) }))
      return { xml, shapes: shapes.filter(({ w, h }) => w > 0 && h > 0) }
    })
}
const EMU = 12_700
const [WIDTH, HEIGHT] = [960 * EMU, 540 * EMU]

describe('the slides (beyond 1.3)', () => {
  test('have no box over another and none outside of the slide, whatever they are about', async () => {
    await fc.assert(
      fc.asyncProperty(builds, async (build) => {
        const faults: string[] = []
        for (const [number, { shapes }] of (await slides(build)).entries())
          for (const [place, a] of shapes.entries()) {
            if (a.x < 0 || a.y < 0 || a.x + a.w > WIDTH + EMU || a.y + a.h > HEIGHT + EMU)
              faults.push(`slide ${number + 1}: ${JSON.stringify(a)} leaves it`)
            for (const b of shapes.slice(place + 1))
              if (
                a.x + EMU < b.x + b.w &&
                b.x + EMU < a.x + a.w &&
                a.y + EMU < b.y + b.h &&
                b.y + EMU < a.y + a.h
              )
                faults.push(`slide ${number + 1}: ${JSON.stringify(a)} over ${JSON.stringify(b)}`)
          }
        expect(faults).toEqual([])
      }),
      { numRuns: count({ exhaustive: 6, default: 2 }), endOnFailure: true },
    )
  })

  test('say the same as the report, in its order', async () => {
    const files = [
      dossierFile(1, { evidence_category: 'odometro' }),
      dossierFile(2, { evidence_category: 'chassi', description: 'Gravação no assoalho' }),
      dossierFile(3, { file_type: 'pdf', evidence_category: null, pages: 2 }, 'laudo.pdf'),
    ]
    const [cover, story, first, second, last, ...more] = (await slides(dossierBuild({ files }))).map(
      ({ xml }) => [...xml.matchAll(/<a:t>([^<]*)<\/a:t>/g)].map(([, words]) => words),
    )
    expect(more).toEqual([])
    expect(cover).toEqual(expect.arrayContaining(['Concessionária Sol', 'Ordem de serviço 123456', 'Toyota']))
    expect(story).toEqual(expect.arrayContaining(['Relato', 'Problema relatado', 'Amortecedor com folga.']))
    expect(first).toEqual(expect.arrayContaining(['1. Chassi Visível', 'Gravação no assoalho']))
    expect(second).toEqual(expect.arrayContaining(['2. Odômetro', 'Dossiê 1, página 4 de 5']))
    expect(last).toEqual(
      expect.arrayContaining(['Documentos', '3. Sem categoria', 'Arquivo no pacote: laudo.pdf']),
    )
  })
})
