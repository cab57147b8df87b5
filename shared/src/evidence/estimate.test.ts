import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payloadLimit } from './budget.ts'
import { type EstimatedFile, estimatePackage, estimateText } from './estimate.ts'

let serial = 0
const file = (fields: Partial<EstimatedFile>): EstimatedFile => ({
  id: ++serial,
  name: 'foto.jpg',
  file_type: 'image',
  file_size: 4_000_000,
  pixels: 12_000_000,
  duration_seconds: null,
  committed_bytes: null,
  ...fields,
})
const videoOf = (seconds: number | null, fields: Partial<EstimatedFile> = {}) =>
  file({
    name: 'filme.mp4',
    file_type: 'video',
    file_size: 300_000_000,
    pixels: null,
    duration_seconds: seconds,
    ...fields,
  })

test('the estimate is one line: number of files, size, and whether they fit (D-21, beyond 2.1)', () => {
  const files = [...Array.from({ length: 6 }, () => file({})), videoOf(60, { file_size: 388_000_000 })]
  const estimate = estimatePackage(files, 25)
  expect(estimate).toMatchObject({ files: 7, original_bytes: 412_000_000, fits: true, advice: [] })
  expect(estimateText(estimate)).toMatch(/^7 arquivos, 412 MB → cabe em 25 MB \(estimado 2\d,\d MB\)$/)
})

test('small files are estimated at their own size, not at their share (D-21)', () => {
  const small = estimatePackage([file({ file_size: 90_000, pixels: 300_000 })], 100)
  expect(small.estimated_bytes).toBeLessThanOrEqual(90_000)
})

test.each([
  [[videoOf(600)], 10, ['«filme.mp4» (10m) só cabe com até 4m19s: corte ou remova']],
  [[videoOf(null, { file_size: 1_000 })], 1, []],
  [
    [file({ name: 'laudo.docx', file_type: 'document', file_size: 12_000_000 })],
    10,
    ['«laudo.docx» tem 12 MB e não pode ser reduzido: remova'],
  ],
  [
    [file({ name: 'laudo.pdf', file_type: 'pdf', file_size: 30_000_000, pixels: null, pages: 40 })],
    2,
    ['«laudo.pdf» (40 páginas) só cabe com até 32 páginas: divida-o ou remova páginas'],
  ],
  [[file({ name: 'nota.pdf', file_type: 'pdf', file_size: 30_000_000, pixels: null, pages: 2 })], 2, []],
  [Array.from({ length: 10 }, () => file({})), 1, ['Fotos demais para o limite: remova ao menos 4 fotos']],
] as [EstimatedFile[], number, string[]][])(
  'files that cannot fit come with advice %#: %s (D-21)',
  (files, limit, advice) => {
    const estimate = estimatePackage(files, limit)
    expect([estimate.fits, estimate.advice]).toEqual([advice.length === 0, advice])
    if (advice.length > 0) expect(estimateText(estimate)).toContain(`→ não cabe em ${limit} MB`)
  },
)

test('a new file without space beside converted ones may fit when all are converted again', () => {
  const full = Array.from({ length: 4 }, () => file({ committed_bytes: 2_400_000 }))
  const late = estimatePackage([...full, videoOf(40)], 10)
  expect(late).toMatchObject({ fits: false, fitsReconverted: true })
  expect(estimatePackage([...full, videoOf(600)], 10)).toMatchObject({ fitsReconverted: false })
})

test('a package that is estimated to fit is planned below the limit, whatever its files are (D-19)', () => {
  const some = fc.oneof(
    fc.record({
      file_size: fc.integer({ min: 1, max: 20_000_000 }),
      pixels: fc.option(fc.integer({ min: 100, max: 2e8 })),
    }),
    fc.record({
      file_type: fc.constant('video' as const),
      file_size: fc.integer({ min: 1, max: 900_000_000 }),
      duration_seconds: fc.option(fc.integer({ min: 1, max: 900 })),
    }),
    fc.record({ file_type: fc.constant('pdf' as const), file_size: fc.integer({ min: 1, max: 30_000_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(some, { maxLength: 30 }), fc.integer({ min: 5, max: 100 }), (files, limit) => {
      const estimate = estimatePackage(files.map(file), limit)
      expect(estimate.estimated_bytes).toBeLessThanOrEqual(payloadLimit(limit, files.length))
      expect(estimate.fits).toBe(estimate.advice.length === 0)
    }),
    { numRuns: 200 },
  )
})
