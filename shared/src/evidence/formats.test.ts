import { expect, test } from 'vitest'
import { formatOfExtension, nameContradicts, UPLOAD_ACCEPT } from './formats.ts'

test('extensions are recognised as brands and devices write them', () => {
  expect(['jpg', '.JPEG', 'HEIF', 'm4v', 'txt'].map(formatOfExtension)).toEqual([
    'jpeg',
    'jpeg',
    'heic',
    'mp4',
    undefined,
  ])
})

test('an extension of another file type is a contradiction; one of another format of the same type is not', () => {
  expect(nameContradicts('foto.jpg', 'pdf')).toBe(true)
  expect(nameContradicts('foto.jpg', 'heic')).toBe(false)
  expect(nameContradicts('VID_0001.MOV', 'mp4')).toBe(false)
  expect(nameContradicts('sem-extensao', 'pdf')).toBe(false)
})

test('the picker lists HEIC, so that iPhones send the original', () =>
  expect(UPLOAD_ACCEPT).toContain('.heic'))
