import { expect, test } from 'vitest'
import { countFiles, plainStatus } from './evidence-counts.ts'

test('statuses in capitals or with a prefix mean the same (STA-20)', () =>
  expect(
    ['converting', 'CONVERTING', 'EvidenceStatus.converting', 'Converted', 'queued'].map(plainStatus),
  ).toEqual(['converting', 'converting', 'converting', 'converted', 'pending']))

test('the counters of an order (EVI-1)', () =>
  expect(countFiles([{ status: 'converted' }, { status: 'converted' }, { status: 'failed' }])).toEqual({
    total: 3,
    pending: 0,
    converting: 0,
    converted: 2,
    failed: 1,
  }))
