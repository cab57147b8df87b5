import { expect, test } from 'vitest'
import { countFiles, plainStatus } from './evidence-counts.ts'

test('upper-case and prefixed statuses are normalized (STA-20)', () =>
  expect(
    ['converting', 'CONVERTING', 'EvidenceStatus.converting', 'Converted', 'queued'].map(plainStatus),
  ).toEqual(['converting', 'converting', 'converting', 'converted', 'pending']))

test('file counts of an order (EVI-1)', () =>
  expect(countFiles([{ status: 'converted' }, { status: 'converted' }, { status: 'failed' }])).toEqual({
    total: 3,
    pending: 0,
    converting: 0,
    converted: 2,
    failed: 1,
  }))
