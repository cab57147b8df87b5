import { expect, test } from 'vitest'
import { isPackageValid } from './checks.ts'
import type { Reading } from './reading.ts'
import { warnAboutReadings } from './reading-warnings.ts'

const order = { vehicle_plate: 'ABC1D28', vehicle_chassis: '9BWZZZ377VT004251', vehicle_mileage: null }
const read = (id: number, reading: Partial<Reading>) => ({
  id,
  reading: {
    ...{ kind: 'plate' as const, verdict: 'match' as const, text: 'ABC1D28' },
    ...{ score: -0.1, margin: 5, box: null, engine: 'test' },
    ...reading,
  },
})
const said = (...files: ReturnType<typeof read>[]) =>
  warnAboutReadings(order, files, []).map(({ code, ok, message, evidence_ids }) => [
    `${code} ${ok ? 'ok' : 'aviso'}`,
    message,
    evidence_ids,
  ])

test('without a reading nothing was checked, and nothing is said of what could not be read (D-23 V18)', () => {
  expect(warnAboutReadings(order, [], [])).toEqual([])
  expect(said(read(1, { verdict: 'unreadable', text: null }))).toEqual([])
})

test('what a photo shows confirms the order or contradicts it, and never blocks (D-23 V18)', () => {
  expect(said(read(1, {}), read(2, {}))).toEqual([
    ['V18 ok', 'Leitura automática: ABC1D28. Confere com a OS.', []],
  ])
  expect(said(read(1, { verdict: 'mismatch', text: 'ABC1D23' }))).toEqual([
    ['V18 aviso', 'A foto parece mostrar ABC1D23; a OS diz ABC1D28. Verifique.', [1]],
  ])
  expect(said(read(3, { kind: 'vin', verdict: 'mismatch', text: '9BWZZZ377VT004259' }))).toEqual([
    ['V18 aviso', 'A foto parece mostrar …004259; a OS diz …004251. Verifique.', [3]],
  ])
  expect(said(read(3, { kind: 'vin', verdict: 'mismatch', text: '9BWZZZ877VT004251' }))[0]?.[1]).toBe(
    'A foto parece mostrar outro chassi; a OS também termina em …004251. Verifique.',
  )
  const checks = warnAboutReadings(order, [read(1, { verdict: 'mismatch', text: 'ABC1D23' })], [])
  expect(isPackageValid(checks)).toBe(true)
})

test('an empty field is offered what a photo shows, a filled one and a code are not (D-23 V19)', () => {
  const mileage = read(1, { kind: 'odometer', verdict: 'suggestion', text: '48250' })
  expect(said(mileage, read(2, { kind: 'code', verdict: 'suggestion', text: 'PECA 1' }))).toEqual([
    ['V19 aviso', 'A foto parece mostrar a quilometragem 48.250 km, que falta na OS.', [1]],
  ])
  const filled = { ...order, vehicle_mileage: 48_000 }
  expect(warnAboutReadings(filled, [mileage], [])).toEqual([])
})

test('a text in photos of orders of other vehicles is named with them (D-23 V20)', () => {
  const repeats = ['000004', '000003', '000002', '000001'].map((os_number) => ({
    evidence_id: 7,
    text: 'code:GT:1',
    os_number,
  }))
  expect(warnAboutReadings(order, [read(7, { verdict: 'unreadable', text: null })], repeats)).toMatchObject([
    {
      code: 'V20',
      message:
        'O código GT:1 também aparece em foto da OS 000001, 000002, 000003 e em mais 1, de outro veículo',
      evidence_ids: [7],
      fix: { kind: 'review' },
    },
  ])
})
