import { expect, test } from 'vitest'
import { isPackageValid } from './checks.ts'
import { type Reuse, type WarningFile, warnAbout } from './warnings.ts'

const opened_at = new Date('2026-11-10T12:00:00Z')
const order = { opened_at, vehicle_chassis: '9BGRD08X04G117974', vehicle_plate: 'ABC1D23' }
const rules = {
  image_max_px: null,
  required_categories: [{ category: 'odometro' as const, min: 1 }],
}
const photo: WarningFile = {
  id: 1,
  file_type: 'image',
  evidence_category: 'odometro',
  width: 1600,
  height: 1200,
  sharpness: 500,
  captured_at: new Date('2026-11-10T10:00:00Z'),
  uploaded_at: new Date('2026-11-10T13:00:00Z'),
}
interface Scene {
  files?: Partial<WarningFile>[]
  vehicle?: Partial<typeof order>
  side?: number | null
  reuses?: Reuse[]
}
const warned = ({ files = [{}], vehicle = {}, side = null, reuses = [] }: Scene) =>
  warnAbout(
    { ...rules, image_max_px: side },
    { ...order, ...vehicle },
    files.map((file) => ({ ...photo, ...file })),
    reuses,
  )
const failed = (scene: Scene) =>
  warned(scene)
    .filter(({ ok }) => !ok)
    .map(({ code, message }) => `${code} ${message}`)

test('a sharp photo taken today in a required category gives no warning (D-23)', () => {
  expect(failed({})).toEqual([])
  expect([...new Set(warned({}).map(({ code }) => code))]).toEqual(['V12', 'V13', 'V14', 'V15', 'V16', 'V17'])
})

test.each<[Scene, string[]]>([
  [{ files: [{ width: 640, height: 480 }] }, ['V12 1 foto tem menos de 1024 pixels no lado maior']],
  [{ files: [{ width: 768, height: 1024 }] }, []],
  [{ files: [{ width: 640, height: 480 }], side: 600 }, []],
  [{ files: [{ width: 640, height: 480, file_type: 'video' }] }, []],
  [{ files: [{ sharpness: 12 }, { sharpness: 39.9 }] }, ['V12 2 fotos parecem desfocadas']],
  [{ files: [{ sharpness: 40 }] }, []],
  [{ files: [{ sharpness: null }] }, []],
  [{ reuses: [{ evidence_id: 1, os_number: '000123' }] }, ['V13 1 foto já usada na OS 000123']],
  [
    { reuses: [4, 3, 2, 1].map((n) => ({ evidence_id: 1, os_number: `00000${n}` })) },
    ['V13 1 foto já usada na OS 000001, 000002, 000003 e em mais 1'],
  ],
  [
    { files: [{ captured_at: new Date('2026-11-10T15:00:01Z') }] },
    ['V14 1 arquivo foi feito no futuro, segundo a câmera'],
  ],
  [{ files: [{ captured_at: new Date('2026-11-10T15:00:00Z') }] }, []],
  [
    { files: [{ captured_at: new Date('2026-11-03T11:59:59Z') }] },
    ['V14 1 arquivo foi feito mais de 7 dias antes da abertura da OS (10/11/2026)'],
  ],
  [{ files: [{ captured_at: new Date('2026-11-03T12:00:00Z') }] }, []],
  [{ files: [{ captured_at: null }] }, []],
  [{ files: [{ evidence_category: null }] }, ['V15 1 arquivo sem categoria']],
  [{ files: [{ evidence_category: 'placa' }] }, ['V15 1 arquivo em categoria que a marca não pede']],
  [
    { files: [{ evidence_category: 'defeito' }] },
    [
      'V15 1 arquivo em categoria que a marca não pede',
      'V16 Há foto do defeito, mas nenhuma da situação solucionada',
    ],
  ],
  [
    { files: [{ evidence_category: 'defeito' }, { id: 2, evidence_category: 'pos_solucionado' }] },
    ['V15 2 arquivos em categoria que a marca não pede'],
  ],
  [{ vehicle: { vehicle_plate: null as unknown as string } }, ['V17 Placa não informada']],
  [{ vehicle: { vehicle_plate: '', vehicle_chassis: '' } }, ['V17 Chassi e Placa não informados']],
  [
    { vehicle: { vehicle_chassis: '9BGRDO8X04G117974' } },
    ['V17 O chassi tem I, O ou Q, letras que nenhum chassi usa: confira se são 1 ou 0'],
  ],
])('%j → %j (D-23, D-15)', (scene, expected) => expect(failed(scene)).toEqual(expected))

test('a warning names its files and a fix, and never blocks (D-23)', () => {
  const checks = warned({ files: [{ evidence_category: 'defeito' }, { id: 2, evidence_category: null }] })
  expect(isPackageValid(checks)).toBe(true)
  expect(checks.filter(({ ok }) => !ok).map(({ evidence_ids, fix }) => [evidence_ids, fix])).toEqual([
    [[2], { kind: 'categorize', evidence_ids: [2] }],
    [[1], { kind: 'categorize', evidence_ids: [1] }],
    [[1], { kind: 'upload', category: 'solucionado' }],
  ])
})
