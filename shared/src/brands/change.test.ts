import { expect, test } from 'vitest'
import { type BrandChange, brandChange } from './schema.ts'

const refusal = (change: unknown) => {
  const { error } = brandChange.safeParse(change)
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
}

test('a change has only the fields that were sent, without defaults (D-04, D-33)', () => {
  expect(brandChange.parse({})).toEqual({})
  const change = { submission_url: '', submission_system: ' Portal ', max_powerpoint_size_mb: null }
  expect(brandChange.parse(change)).toEqual({
    submission_url: null,
    submission_system: 'Portal',
    max_powerpoint_size_mb: null,
  })
})

test.each<[{ [Name in keyof BrandChange]?: unknown }, string]>([
  [{ max_file_size_mb: 0 }, 'max_file_size_mb: No mínimo 1'],
  [{ max_file_size_mb: 1.5 }, 'max_file_size_mb: Use um número inteiro'],
  [{ max_evidence_count: 0 }, 'max_evidence_count: No mínimo 1'],
  [{ image_max_px: 100 }, 'image_max_px: No mínimo 256'],
  [{ naming_template: '{os}_{vin}' }, 'naming_template: Variável desconhecida: {vin}'],
  [{ submission_url: 'javascript:alert(1)' }, 'submission_url: Informe um endereço que comece com https://'],
  [{ accepted_image_formats: ['bmp'] }, 'accepted_image_formats.0: Formato desconhecido'],
  [
    { accepted_image_formats: ['heic'] },
    'accepted_image_formats: Inclua JPG, PNG ou WEBP: é o que a conversão grava',
  ],
  [{ accepted_video_formats: [] }, 'accepted_video_formats: Inclua MP4 ou MOV: é o que a conversão grava'],
  [{ accepted_video_formats: ['mp4', 'mp4'] }, 'accepted_video_formats: Formato repetido'],
  [
    { required_categories: [1, 2].map((min) => ({ category: 'placa', min })) },
    'required_categories: Categoria repetida',
  ],
  [{ required_categories: [{ category: 'placa', min: 0 }] }, 'required_categories.0.min: No mínimo 1'],
])('%j is refused: %s (D-33)', (change, message) => expect(refusal(change)).toContain(message))
