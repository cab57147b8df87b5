import { EVIDENCE_CATEGORIES, EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { afterAll, expect, test } from 'vitest'
import { picture } from '../support/make.ts'
import { startTestApp } from '../support/test-app.ts'
import { callProcedure } from './procedures.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))

const brand = await testApp.make.brand({
  display_name: 'Honda',
  max_file_size_mb: 10,
  max_video_count: 1,
  max_evidence_count: 12,
  max_powerpoint_size_mb: 5,
  naming_template: 'OS{os}_{categoria}_{seq2}',
  processing_time_seconds: 45,
  storage_retention_months: 24,
  submission_system: 'Portal',
  required_categories: JSON.stringify([{ category: 'odometro', min: 1 }]),
})
const { id: order_id } = await testApp.make.order({ brand_id: brand.id })
/** The answer, which must be the same over REST and tRPC. */
async function answerOf(path: string, procedure: string, input: object) {
  const answer = await boss.api('GET', path)
  expect(answer.statusCode).toBe(200)
  expect((await callProcedure(testApp, boss.token, procedure, input)).data).toEqual(answer.json())
  return answer.json()
}

test('a brand response has every rule that the specification names (ENT-7, API-35, API-36)', async () => {
  const { id } = brand
  const answer = await answerOf(`/brands/${id}`, 'brands.one', { id })
  expect(answer).toMatchObject({
    id,
    display_name: 'Honda',
    is_active: true,
    max_file_size_mb: 10,
    max_video_count: 1,
    max_evidence_count: 12,
    max_powerpoint_size_mb: 5,
    accepted_video_formats: brand.accepted_video_formats,
    accepted_image_formats: brand.accepted_image_formats,
    naming_example: 'OS123456_defeito_01.jpg',
    processing_time_seconds: 45,
    storage_retention_months: 24,
    submission_system: 'Portal',
  })
  const list = (await boss.api('GET', '/brands/')).json()
  expect(list.data).toEqual([answer])
})

test('the rules for evidence are those of the brand (ENT-8, API-38)', async () => {
  const { id } = brand
  expect(await answerOf(`/brands/${id}/evidence-rules`, 'brands.evidenceRules', { id })).toMatchObject({
    max_file_size_mb: 10,
    accepted_video_formats: brand.accepted_video_formats,
    required_categories: [{ category: 'odometro', min: 1 }],
  })
})

test('the list of an order counts its files and has every field that the screen shows (ENT-15, ENT-16, API-41)', async () => {
  const content = await picture()
  const sent = await boss.upload(order_id, [{ filename: 'IMG_0001.JPG', content }], {
    category: 'odometro',
    description: 'Painel ligado',
  })
  const [uploaded] = sent.json().uploaded
  const converted = await testApp.make.converted(
    { order_id, converted_filename: 'OS000001_defeito_01.jpg', evidence_category: 'defeito' },
    Buffer.alloc(400),
  )
  await testApp.make.evidence({ order_id, deleted_at: new Date() })
  const answer = await answerOf(`/evidence/${order_id}/evidence`, 'evidence.list', { order_id })
  expect(answer.total_files).toBe(2)
  expect(answer.evidence_files).toHaveLength(2)
  const fileOf = (id: number) => answer.evidence_files.find((file: { id: number }) => file.id === id)
  expect(fileOf(uploaded.id)).toMatchObject({
    file_type: 'image',
    status: 'pending',
    original_filename: 'IMG_0001.JPG',
    converted_filename: null,
    file_size: content.length,
    converted_size: null,
    evidence_category: 'odometro',
    description: 'Painel ligado',
  })
  expect(fileOf(converted.id)).toMatchObject({
    status: 'converted',
    original_filename: converted.original_filename,
    converted_filename: 'OS000001_defeito_01.jpg',
    file_size: converted.file_size,
    converted_size: 400,
    evidence_category: 'defeito',
    description: null,
  })
})

test('the conversion report counts the files and names the converted ones (ENT-17, API-49)', async () => {
  const { id } = await testApp.make.order({ brand_id: brand.id })
  const done = await testApp.make.converted({ order_id: id }, Buffer.alloc(700))
  await testApp.make.evidence({ order_id: id, status: 'converting' })
  await testApp.make.evidence({ order_id: id, status: 'failed', error: 'não coube' })
  await testApp.make.evidence({ order_id: id })
  expect(
    await answerOf(`/evidence-conversion/${id}/conversion-report`, 'conversion.report', { order_id: id }),
  ).toEqual({
    total_files: 4,
    converted_count: 1,
    converting_count: 1,
    pending_count: 1,
    failed_count: 1,
    converted_files: [
      {
        evidence_id: done.id,
        converted_filename: done.converted_filename,
        file_size: 700,
        file_type: 'image',
      },
    ],
  })
})

test('seventeen categories are accepted and returned, and an eighteenth is refused (ENT-18, API-40)', async () => {
  expect(EVIDENCE_CATEGORIES).toHaveLength(17)
  expect(EVIDENCE_CATEGORIES.filter((category) => !EVIDENCE_CATEGORY[category])).toEqual([])
  const { id } = await testApp.make.order({
    brand_id: (await testApp.make.brand({ max_evidence_count: 17 })).id,
  })
  for (const category of EVIDENCE_CATEGORIES) {
    const content = await picture()
    const sent = await boss.upload(id, [{ filename: `${category}.jpg`, content }], { category })
    expect([category, sent.statusCode, sent.json().uploaded[0]?.evidence_category]).toEqual([
      category,
      201,
      category,
    ])
  }
  const refused = await boss.upload(id, [{ filename: 'a.jpg', content: await picture() }], {
    category: 'paisagem',
  })
  expect([refused.statusCode, refused.json().detail[0].msg]).toEqual([422, 'Categoria desconhecida'])
})
