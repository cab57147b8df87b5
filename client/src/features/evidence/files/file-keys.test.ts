import { evidenceFile } from '@garantia/shared/evidence/schema'
import { expect, test } from 'vitest'
import { deedOf } from './file-keys.ts'

const ALL = { mayConvert: true, mayDelete: true, mayChange: true }
const NONE = { mayConvert: false, mayDelete: false, mayChange: false }
const file = (change: object = {}) => evidenceFile.parse({ ...PHOTO, ...change })
const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})
const PHOTO = {
  id: 1,
  order_id: 1,
  file_type: 'image',
  status: 'converted',
  original_filename: 'a.jpg',
  converted_filename: 'b.jpg',
  file_size: 10,
  converted_size: 5,
  evidence_category: null,
  description: null,
  progress: 100,
  queue_position: null,
  error: null,
  sha256: 'ab',
  uploaded_at: '2026-11-20T10:00:00Z',
  uploaded_by: 1,
  width: 4,
  height: 3,
  duration_seconds: null,
  pages: null,
  rotation: 0,
  thumbnail_url: null,
  original_url: '/o',
  converted_url: '/c',
}

test('a key does what the state of the file allows (EVI-12, EVI-13)', () => {
  const deeds = (status: string) =>
    ['p', 'b', 'B', 'Delete'].map((key) => deedOf(press(key), file({ status }), ALL))
  expect(deeds('converted')).toEqual([null, 'download', 'original', 'remove'])
  expect(deeds('pending')).toEqual(['convert', null, 'original', 'remove'])
  expect(deeds('failed')).toEqual(['convert', null, 'original', 'remove'])
  expect(deeds('converting')).toEqual([null, null, 'original', null])
})

test('numbers set the nine categories of the form, and only photos are turned (UPL-1)', () => {
  expect(deedOf(press('1'), file(), ALL)).toEqual({ category: 'defeito' })
  expect(deedOf(press('9'), file(), ALL)).toEqual({ category: 'odometro' })
  expect(deedOf(press('0'), file(), ALL)).toBeNull()
  expect(deedOf(press('r'), file(), ALL)).toBe('turn-right')
  expect(deedOf(press('R'), file(), ALL)).toBe('turn-left')
  expect(deedOf(press('r'), file({ file_type: 'video' }), ALL)).toBeNull()
})

test('who may only look can still fetch, and the browser keeps its own shortcuts', () => {
  for (const key of ['1', 'e', 'r', 'p', 'Delete']) expect(deedOf(press(key), file(), NONE)).toBeNull()
  expect(deedOf(press('b'), file(), NONE)).toBe('download')
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(deedOf(press('r', held), file(), ALL)).toBeNull()
})
