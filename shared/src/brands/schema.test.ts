import { expect, test } from 'vitest'
import { processingTimeLabel, retentionLabel } from './schema.ts'

test('retention reads as on the card (BRD-9)', () =>
  expect([24, 12, 1, 36, 60, null].map(retentionLabel)).toEqual([
    '2 anos',
    '1 ano',
    '1 mês',
    '36 meses',
    '60 meses',
    'Não especificado',
  ]))

test('processing time reads as on the card (BRD-8)', () =>
  expect([45, 60, 61, 90, 300].map(processingTimeLabel)).toEqual([
    '45 segundos',
    '60 segundos',
    '1 minuto',
    '2 minutos',
    '5 minutos',
  ]))
