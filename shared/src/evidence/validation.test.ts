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
    .filter((check) => !check.ok)
    .map((check) => `${check.code} ${check.message}`)

test('a complete package has nothing against it', () => {
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
