import { expect, test } from 'vitest'
import { formatOfExtension, nameContradicts, truthfulName, UPLOAD_ACCEPT } from './formats.ts'

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

test.each([
  ['foto.jpg', 'jpeg', 'foto.jpg'],
  ['FOTO.JPEG', 'jpeg', 'FOTO.JPEG'],
  ['foto.jpg', 'png', 'foto.png'],
  ['pagina.html', 'jpeg', 'pagina.html.jpg'],
  ['run.exe', 'mp4', 'run.exe.mp4'],
  ['nota v2.1', 'pdf', 'nota v2.1.pdf'],
  ['sem extensão', 'heic', 'sem extensão.heic'],
  ['.htaccess', 'jpeg', '.htaccess.jpg'],
] as const)('%s with the content of %s is called %s', (filename, format, name) => {
  expect(truthfulName(filename, format)).toBe(name)
})
