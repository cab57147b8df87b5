import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CONVERSION_STATUS,
  conversionStatusOf,
  type FileCounts,
  isClosed,
  nextStatus,
  ORDER_STATUS,
  ORDER_STATUSES,
  pipelineStatus,
} from './status.ts'

describe('every status has one name and one colour (STA-6 to STA-18)', () => {
  test.each([
    ['STA-6', 'created', 'Criada', 'gray'],
    ['STA-7', 'pending_upload', 'Aguardando Upload', 'orange'],
    ['STA-8', 'in_progress', 'Em Processamento', 'blue'],
    ['STA-9', 'ready', 'Pronta', 'purple'],
    ['STA-10', 'completed', 'Concluída', 'green'],
    ['STA-11', 'cancelled', 'Cancelada', 'red'],
    ['STA-12', 'pending', 'Pendente', 'yellow'],
    ['STA-12', 'in_analysis', 'Em Análise', 'turquoise'],
  ] as const)('%s: %s is «%s», %s', (_, status, label, colour) =>
    expect(ORDER_STATUS[status]).toEqual({ label, colour }),
  )

  test.each([
    ['STA-14', 'not_started', 'Realizar Upload'],
    ['STA-15', 'in_progress', 'Convertendo'],
    ['STA-16', 'completed', 'Disponível'],
    ['STA-17', 'failed', 'Falhou'],
    ['STA-18', 'available', 'Disponível'],
  ] as const)('%s: conversion %s is «%s»', (_, status, label) =>
    expect(CONVERSION_STATUS[status].label).toBe(label),
  )

  test('two of the eight close an order, and a closed order is read-only (STA-13)', () =>
    expect(ORDER_STATUSES.filter(isClosed)).toEqual(['completed', 'cancelled']))
})

const none: FileCounts = { pending: 0, converting: 0, converted: 0, failed: 0 }
const counts = fc.record({
  pending: fc.nat(5),
  converting: fc.nat(5),
  converted: fc.nat(5),
  failed: fc.nat(5),
})

describe('the status computed from the files of an order', () => {
  test.each([
    [none, true, 'created'],
    [{ ...none, pending: 1 }, true, 'pending_upload'],
    [{ ...none, converting: 1, converted: 3 }, true, 'in_progress'],
    [{ ...none, converted: 3 }, true, 'ready'],
    [{ ...none, converted: 3 }, false, 'pending_upload'],
    [{ ...none, converted: 3, failed: 1 }, true, 'pending_upload'],
  ] as const)('%j, valid %s → %s', (files, isValid, expected) =>
    expect(pipelineStatus(files, isValid)).toBe(expected),
  )

  test('an order that waits for files never returns to «Criada»', () =>
    expect(nextStatus('pending_upload', none, false)).toBe('pending_upload'))

  test('paused and closed orders are never changed automatically, and a second run changes nothing', () =>
    fc.assert(
      fc.property(fc.constantFrom(...ORDER_STATUSES), counts, fc.boolean(), (status, files, isValid) => {
        const next = nextStatus(status, files, isValid)
        expect(nextStatus(next, files, isValid)).toBe(next)
        if (isClosed(status) || status === 'pending' || status === 'in_analysis') expect(next).toBe(status)
      }),
    ))
})

describe('the conversion status of an order (D-07)', () => {
  test.each([
    [none, 'not_started'],
    [{ ...none, pending: 2 }, 'not_started'],
    [{ ...none, pending: 1, converted: 1 }, 'in_progress'],
    [{ ...none, converting: 1, failed: 1 }, 'in_progress'],
    [{ ...none, converted: 2, failed: 1 }, 'failed'],
    [{ ...none, converted: 2 }, 'available'],
  ] as const)('%j → %s', (files, expected) => expect(conversionStatusOf(files, true)).toBe(expected))

  test('a package that could not be verified is completed, not available', () =>
    expect(conversionStatusOf({ ...none, converted: 2 }, false)).toBe('completed'))
})
