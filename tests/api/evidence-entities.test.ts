import { EVIDENCE_CATEGORIES } from '@garantia/shared/evidence/category'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const get = async (path: string) => (await boss.api('GET', path)).json()

test('a brand response has everything that its card and its rules show (ENT-7)', async () => {
  const { id } = await testApp.make.brand({
    processing_time_seconds: 90,
    storage_retention_months: 24,
    max_powerpoint_size_mb: 8,
  })
  expect(await get(`/brands/${id}`)).toMatchObject({
    id,
    display_name: 'Marca de Teste',
    is_active: true,
    max_file_size_mb: 10,
    max_video_count: 2,
    max_evidence_count: 20,
    max_powerpoint_size_mb: 8,
    accepted_video_formats: ['mp4'],
    accepted_image_formats: ['jpg'],
    naming_example: expect.stringMatching(/\.jpg$/),
    processing_time_seconds: 90,
    storage_retention_months: 24,
    submission_system: null,
  })
})

test('all seventeen categories are accepted, and no other (ENT-18)', async () => {
  expect(EVIDENCE_CATEGORIES.toSorted()).toEqual(
    [
      ...['defeito', 'tela_aparelho', 'teste', 'pecas', 'solucionado', 'pos_rodagem', 'inspecao', 'reparo'],
      ...['causa', 'chassi_no_vidro', 'diagonal_dt', 'odometro', 'chassi', 'placa'],
      ...['detalhe_problema_nitido', 'pos_solucionado', 'prints_telas'],
    ].toSorted(),
  )
  const { id: order_id } = await testApp.make.order()
  for (const category of EVIDENCE_CATEGORIES) {
    const sent = await boss.upload(order_id, [{ filename: `${category}.jpg`, content: await picture() }], {
      category,
    })
    expect([sent.statusCode, sent.json().uploaded[0].evidence_category]).toEqual([201, category])
  }
  const odd = await boss.upload(order_id, [{ filename: 'x.jpg', content: await picture() }], {
    category: 'paisagem',
  })
  expect([odd.statusCode, odd.json().detail[0].msg]).toEqual([422, 'Categoria desconhecida'])
})
