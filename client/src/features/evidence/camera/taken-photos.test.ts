import { expect, test } from 'vitest'
import type { UploadItem, UploadState } from '../upload/upload-item.ts'
import { isComing, type TakenPhoto, takenNow } from './taken-photos.ts'

const photo = (more: Partial<TakenPhoto> = {}): TakenPhoto => ({
  ...{ key: 1, category: 'placa', url: 'blob:1', state: 'queued', reason: null, evidence_id: null },
  ...{ is_listed: false, is_unwanted: false },
  ...more,
})
const item = (state: UploadState, more: Partial<UploadItem> = {}): UploadItem => ({
  ...{
    key: 1,
    id: 'x',
    person: 1,
    order: { id: 7, os_number: '000123' },
    file: new File([], 'a.jpg'),
    fields: {},
  },
  ...{ state, loaded: 0, bytes_per_second: 0, tries: 0, reason: null },
  ...more,
})

test('a photo counts while it is on its way and until the order has it, and then no more', () => {
  const [sending] = takenNow([photo()], [item('sending')], [])
  expect(sending && isComing(sending)).toBe(true)
  const [sent] = takenNow([photo()], [item('sent', { evidence_id: 5 })], [])
  expect(sent && isComing(sent)).toBe(true)
  const [listed] = takenNow([sent ?? photo()], [], [{ id: 5 }])
  expect(listed).toMatchObject({ state: 'sent', is_listed: true })
  expect(listed && isComing(listed)).toBe(false)
})

test.each(['refused', 'failed', 'already_there'] as const)('a photo that is %s fills nothing', (state) => {
  const [now] = takenNow([photo()], [item(state, { reason: 'OS encerrada' })], [])
  expect(now).toMatchObject({ state, reason: 'OS encerrada' })
  expect(now && isComing(now)).toBe(false)
})

test('what is cancelled elsewhere, or deleted by somebody, is gone', () => {
  expect(takenNow([photo({ state: 'sending' })], [], [])).toEqual([])
  expect(takenNow([photo({ state: 'sent', evidence_id: 5, is_listed: true })], [], [])).toEqual([])
  // Sent, and forgotten by the queue before the list was read.
  expect(takenNow([photo({ state: 'sent', evidence_id: 5 })], [], [])).toHaveLength(1)
})

test('nothing new is the same list', () => {
  const list = [photo({ state: 'sending' })]
  expect(takenNow(list, [item('sending')], [])).toBe(list)
})
