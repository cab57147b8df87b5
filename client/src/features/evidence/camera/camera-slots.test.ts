import { expect, test } from 'vitest'
import { cameraSlots, nextMissing, photoName } from './camera-slots.ts'

const REQUIRED = [
  { category: 'chassi', min: 1 },
  { category: 'defeito', min: 2 },
  { category: 'odometro', min: 1 },
] as const

test('the brand’s order is kept, and photos on their way count', () => {
  const files = [
    { id: 1, evidence_category: 'odometro' },
    { id: 2, evidence_category: null },
  ] as const
  expect(cameraSlots(REQUIRED, files, ['defeito', 'defeito'])).toMatchObject([
    { category: 'chassi', label: 'Chassi Visível', have: 0, min: 1 },
    { category: 'defeito', have: 2, min: 2 },
    { category: 'odometro', have: 1, min: 1 },
  ])
})

test('the walk goes on from where it is, takes up what was skipped, and ends', () => {
  const slots = (chassi: number, defeito: number, odometro: number) =>
    cameraSlots(
      REQUIRED,
      [],
      [
        ...Array<'chassi'>(chassi).fill('chassi'),
        ...Array<'defeito'>(defeito).fill('defeito'),
        ...Array<'odometro'>(odometro).fill('odometro'),
      ],
    )
  expect(nextMissing(slots(0, 0, 0), null)).toBe('chassi')
  expect(nextMissing(slots(0, 1, 0), 'defeito')).toBe('defeito')
  expect(nextMissing(slots(0, 2, 0), 'defeito')).toBe('odometro')
  expect(nextMissing(slots(0, 2, 1), 'odometro')).toBe('chassi')
  expect(nextMissing(slots(1, 2, 1), 'chassi')).toBeNull()
})

test('a photo is named by what it shows and when', () => {
  expect(photoName('placa', new Date('2026-11-28T14:15:03.123Z'))).toBe('placa_20261128_141503_123.jpg')
})
