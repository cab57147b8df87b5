import { evidenceFile } from '@garantia/shared/evidence/schema'
import { expect, test } from 'vitest'
import { fileActionFor } from './file-keys.ts'

const ALL = { mayConvert: true, mayDelete: true, mayChange: true }
const NONE = { mayConvert: false, mayDelete: false, mayChange: false }
const file = (change: object = {}) => evidenceFile.parse({ ...PHOTO, ...change })
const press = (key: string, modifiers: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
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
  marks: [],
  thumbnail_url: null,
  reading: null,
  suggested_category: null,
  original_url: '/o',
  converted_url: '/c',
}

test('keys are limited to actions that the state of the file allows (EVI-12, EVI-13)', () => {
  const actions = (status: string) =>
    ['p', 'b', 'B', 'Delete'].map((key) => fileActionFor(press(key), file({ status }), ALL))
  expect(actions('converted')).toEqual([null, 'download', 'original', 'remove'])
  expect(actions('pending')).toEqual(['convert', null, 'original', 'remove'])
  expect(actions('failed')).toEqual(['convert', null, 'original', 'remove'])
  expect(actions('converting')).toEqual([null, null, 'original', null])
})

test('digits set the nine categories of the form, and only photos can be rotated (UPL-1)', () => {
  expect(fileActionFor(press('1'), file(), ALL)).toEqual({ category: 'defeito' })
  expect(fileActionFor(press('9'), file(), ALL)).toEqual({ category: 'odometro' })
  expect(fileActionFor(press('0'), file(), ALL)).toBeNull()
  expect(fileActionFor(press('r'), file(), ALL)).toBe('turn-right')
  expect(fileActionFor(press('R'), file(), ALL)).toBe('turn-left')
  expect(fileActionFor(press('m'), file(), ALL)).toBe('mark')
  expect(fileActionFor(press('r'), file({ file_type: 'video' }), ALL)).toBeNull()
})

test('read-only users can still download, and browser shortcuts are not overridden', () => {
  for (const key of ['1', 'e', 'r', 'p', 'Delete']) expect(fileActionFor(press(key), file(), NONE)).toBeNull()
  expect(fileActionFor(press('b'), file(), NONE)).toBe('download')
  for (const modifiers of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(fileActionFor(press('r', modifiers), file(), ALL)).toBeNull()
})
