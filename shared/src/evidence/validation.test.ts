import { expect, test } from 'vitest'
import { checkPackage, isPackageValid, type JudgedFile, type PackageRules } from './validation.ts'

const rules: PackageRules = {
  max_file_size_mb: 10,
  max_video_count: 1,
  max_evidence_count: 3,
  max_video_seconds: null,
  accepted_video_formats: ['mp4'],
  accepted_image_formats: ['jpg'],
  required_categories: [{ category: 'odometro', min: 1 }],
}
const order = {
  status: 'pending_upload' as const,
  problem_description: 'Ruído',
  customer_name: 'Ana',
  customer_phone: '(11) 98765-4321',
  vehicle_model: 'Civic',
}
const photo: JudgedFile = {
  id: 1,
  file_type: 'image',
  status: 'converted',
  evidence_category: 'odometro',
  converted_size: 500_000,
  converted_format: 'jpeg',
  duration_seconds: null,
}
const failing = (files: JudgedFile[], change: Partial<typeof order> = {}) =>
  checkPackage(rules, { ...order, ...change }, files)
    .filter((check) => !check.ok && check.severity === 'error')
    .map((check) => `${check.code} ${check.message}`)

test('a complete package has no failed check', () => {
  expect(failing([photo])).toEqual([])
  expect(isPackageValid(checkPackage(rules, order, [photo]))).toBe(true)
})

test.each([
  [[], {}, 'V01 Envie ao menos uma evidência'],
  [[{ ...photo, evidence_category: null }], {}, 'V02 Falta: Odômetro (0 de 1)'],
  [[1, 2, 3, 4].map((id) => ({ ...photo, id })), {}, 'V03 A marca aceita até 3 arquivos, mas há 4'],
  [
    [1, 2].map((id) => ({ ...photo, id, file_type: 'video' as const, converted_format: 'mp4' })),
    {},
    'V04 A marca aceita até 1 vídeo, mas há 2',
  ],
  [[{ ...photo, converted_size: 10_000_001 }], {}, 'V05 O pacote tem 10 MB e o limite da marca é 10 MB'],
  [[{ ...photo, converted_format: 'png' }], {}, 'V06 Há arquivos em formato que a marca não aceita'],
  [
    [{ ...photo, status: 'failed' as const, converted_format: null }],
    {},
    'V07 1 arquivo ainda não foi convertido',
  ],
  [[photo], { customer_phone: '' }, 'V11 Preencha na OS: telefone do cliente'],
])('%j %j → %s', (files, change, message) =>
  expect(failing(files as JudgedFile[], change)).toContain(message),
)

const video = { ...photo, file_type: 'video' as const, converted_format: 'mp4', duration_seconds: 90 }
const judged = (
  files: JudgedFile[],
  findings: Parameters<typeof checkPackage>[3] = {},
  change: Partial<PackageRules> = {},
) => checkPackage({ ...rules, ...change }, order, files, findings)
const found = (checks: ReturnType<typeof judged>, code: string) =>
  checks.find((check) => check.code === code && !check.ok)

test('a check that passes says so, names no file and needs no fix (D-23)', () => {
  const checks = judged([photo])
  expect(checks.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
    'V01',
    'V02',
    'V03',
    'V04',
    'V05',
    'V06',
    'V07',
    'V08',
    'V09',
    'V10',
    'V11',
  ])
  for (const { ok, severity, evidence_ids, fix } of checks)
    if (severity === 'error')
      expect({ ok, evidence_ids, fix }).toEqual({ ok: true, evidence_ids: [], fix: null })
  expect(checks.find(({ code }) => code === 'V02')?.message).toBe('Odômetro (1 de 1)')
})

test.each([
  ['V01', judged([]), { kind: 'upload', category: null }],
  ['V02', judged([]), { kind: 'upload', category: 'odometro' }],
  [
    'V03',
    judged([1, 2, 3, 4].map((id) => ({ ...photo, id }))),
    { kind: 'review', evidence_ids: [1, 2, 3, 4] },
  ],
  ['V04', judged([5, 6].map((id) => ({ ...video, id }))), { kind: 'review', evidence_ids: [5, 6] }],
  [
    'V05',
    judged([{ ...photo, converted_size: 10_000_001 }]),
    { kind: 'convert', evidence_ids: [1], force: true },
  ],
  [
    'V06',
    judged([{ ...photo, converted_format: 'png' }]),
    { kind: 'convert', evidence_ids: [1], force: true },
  ],
  ['V07', judged([{ ...photo, status: 'pending' }]), { kind: 'convert', evidence_ids: [1], force: false }],
  ['V07', judged([{ ...photo, status: 'converting' }]), null],
  [
    'V08',
    judged([photo], { damaged: [{ id: 1, isOriginalLost: false }] }),
    { kind: 'convert', evidence_ids: [1], force: true },
  ],
  [
    'V08',
    judged([photo], { damaged: [{ id: 1, isOriginalLost: true }] }),
    { kind: 'review', evidence_ids: [1] },
  ],
  ['V08', judged([{ ...photo, purged_at: new Date() }]), null],
  ['V09', judged([photo], { powerpoint_bytes: 5_000_001 }, { max_powerpoint_size_mb: 5 }), null],
  ['V10', judged([video], {}, { max_video_seconds: 60 }), { kind: 'review', evidence_ids: [1] }],
])('%s comes with its fix in one click (D-23)', (code, checks, expected) =>
  expect(found(checks, code)?.fix).toEqual(expected),
)

test('what is exactly at the limits of the brand passes (D-23)', () => {
  const limits = {
    max_evidence_count: 2,
    max_video_count: 1,
    max_video_seconds: 90,
    max_powerpoint_size_mb: 5,
  }
  const files = [
    { ...photo, converted_size: 9_500_000 },
    { ...video, id: 2, converted_size: 500_000 },
  ]
  const failed = judged(files, { powerpoint_bytes: 5_000_000 }, limits).filter(
    ({ ok, severity }) => !ok && severity === 'error',
  )
  expect(failed).toEqual([])
})

test('without a limit or without a presentation the PowerPoint rule passes (D-23 V09)', () => {
  expect(found(judged([photo], { powerpoint_bytes: 9e9 }, { max_powerpoint_size_mb: null }), 'V09')).toBe(
    undefined,
  )
  expect(found(judged([photo], {}, { max_powerpoint_size_mb: 5 }), 'V09')).toBe(undefined)
})

test('completing an order requires more fields than its package, announced as a warning (D-14, D-23 V11)', () => {
  const message = 'Para concluir a OS, preencha: chassi, quilometragem, diagnóstico, solução aplicada'
  expect(found(judged([photo]), 'V11')).toMatchObject({ severity: 'warning', message })
  const parts = { ...photo, evidence_category: 'pecas' as const }
  expect(found(judged([photo, parts], { purpose: 'completion' }), 'V11')).toMatchObject({
    severity: 'error',
    message: `${message}, peças substituídas`,
    fix: {
      kind: 'edit',
      fields: ['vehicle_chassis', 'vehicle_mileage', 'diagnosis', 'solution_applied', 'parts_replaced'],
    },
  })
})
