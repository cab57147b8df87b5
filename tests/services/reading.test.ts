import { readContents, requestDossier } from '@garantia/server/features/records/dossier'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { Check } from '@garantia/shared/evidence/checks'
import { readingKindOf, searchedTexts } from '@garantia/shared/evidence/reading'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp({ PHOTO_READING: 'true' })
afterAll(() => testApp[Symbol.asyncDispose]())
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const { make, kernel } = testApp

/** A photo in which this was read. */
async function photoOf(
  order_id: number,
  evidence_category: EvidenceCategory,
  text: string,
  kindOfFile: 'evidence' | 'converted' = 'evidence',
) {
  const kind = readingKindOf(evidence_category) ?? 'plate'
  const box = { left: 0, top: 0, width: 1, height: 1 }
  const found = [{ kind, text, score: -0.1, margin: 5, box }]
  const { id } = await make[kindOfFile]({ order_id, evidence_category })
  await kernel.ctx.db
    .updateTable('evidence_files')
    .set({
      reading: JSON.stringify({ kind, rotation: 0, found, engine: 'test' }),
      reading_texts: searchedTexts({ kind, found }),
    })
    .where('id', '=', id)
    .execute()
  return id
}
const readingChecks = async (order_id: number, who = boss) => {
  const { checks } = (await who.api('POST', `/evidence/${order_id}/validate`)).json()
  return (checks as Check[])
    .filter(({ code }) => code >= 'V18')
    .map(({ code, ok, message }) => `${code} ${ok ? 'ok' : 'aviso'} ${message}`)
}

test('validate says what photos show, and an order without readings has no such check (D-23 V18, V19)', async () => {
  const { id } = await make.order({ vehicle_plate: 'ABC1D28', vehicle_mileage: null })
  expect(await readingChecks(id)).toEqual([])
  await photoOf(id, 'placa', 'ABC1D23')
  await photoOf(id, 'odometro', '48250')
  expect(await readingChecks(id)).toEqual([
    'V18 aviso A foto parece mostrar ABC1D23; a OS diz ABC1D28. Verifique.',
    'V19 aviso A foto parece mostrar a quilometragem 48.250 km, que falta na OS.',
  ])
  await boss.api('PATCH', `/service-orders/${id}`, { vehicle_plate: 'ABC1D23', vehicle_mileage: 48_250 })
  expect(await readingChecks(id)).toEqual(['V18 ok Leitura automática: ABC1D23. Confere com a OS.'])
})

test('a text in photos of two vehicles warns within the scope of the caller (D-23 V20)', async () => {
  const [one, other] = [await make.company(), await make.company()]
  const place = (company_id: number, n: number) =>
    make.order({
      company_id,
      os_number: `90000${n}`,
      vehicle_plate: `KLM1A0${n}`,
      vehicle_chassis: `9BWZZZ377VT00000${n}`,
    })
  const mine = await place(one.id, 1)
  const foreign = await place(other.id, 2)
  const same = await make.order({
    company_id: one.id,
    os_number: '900003',
    vehicle_plate: 'KLM1A01',
    vehicle_chassis: null,
  })
  for (const { id } of [mine, foreign, same]) {
    await photoOf(id, 'pecas', 'SN-0815')
    await photoOf(id, 'placa', 'KLM1A01')
  }
  // Several photos of one order are one order.
  for (const _ of [1, 2]) await photoOf(foreign.id, 'pecas', 'SN-0815')
  const warned = (await readingChecks(mine.id)).filter((line) => line.startsWith('V20'))
  expect(warned).toEqual([
    'V20 aviso O código SN-0815 também aparece em foto da OS 900002, de outro veículo',
    'V20 aviso A placa KLM1A01 também aparece em foto da OS 900002, de outro veículo',
  ])
  const manager = await testApp.as(await make.user({ role: 'manager', company_id: one.id }))
  expect((await readingChecks(mine.id, manager)).filter((line) => line.startsWith('V20'))).toEqual([])
  // On the parts of many orders it is the number of the article.
  for (const n of [4, 5]) await photoOf((await place(one.id, n)).id, 'pecas', 'SN-0815')
  expect((await readingChecks(mine.id)).filter((line) => line.startsWith('V20'))).toEqual([warned[1]])
  // A photo of another category does not show what it was read for.
  await kernel.ctx.db
    .updateTable('evidence_files')
    .set({ evidence_category: 'pecas' })
    .where('order_id', '=', foreign.id)
    .execute()
  expect((await readingChecks(mine.id)).filter((line) => line.startsWith('V20'))).toEqual([])
})

test('a dossier says of which photos the text is the order’s, and nothing of the others', async () => {
  const { id } = await make.order({ vehicle_plate: 'ABC1D23', vehicle_chassis: '9BWZZZ377VT004251' })
  const right = await photoOf(id, 'placa', 'ABC1D23', 'converted')
  await photoOf(id, 'chassi', '9BWZZZ377VT004257', 'converted')
  const { id: dossier_id } = await requestDossier(boss.ctx, id)
  const contents = await readContents(kernel.ctx, dossier_id)
  expect(contents?.files.map(({ row, confirmed }) => [row.id === right, confirmed])).toEqual([
    [true, 'Leitura automática: ABC1D23. Confere com a OS.'],
    [false, null],
  ])
})

test('who sees the chassis number of an order masked gets the read one so too (D-38)', async () => {
  const { id: company_id } = await make.company()
  const owner = await make.user({ role: 'technician', company_id })
  const { id } = await make.order({ company_id, technician_user_id: owner.id, vehicle_chassis: null })
  const file = await photoOf(id, 'chassi', '9BWZZZ377VT004251')
  const colleague = await testApp.as(await make.user({ role: 'technician', company_id }))
  const textFor = async (who: typeof boss) => (await who.api('GET', `/evidence/${file}`)).json().reading?.text
  expect(await textFor(boss)).toBe('9BWZZZ377VT004251')
  expect(await textFor(colleague)).toBe('•••••••••••004251')
})
