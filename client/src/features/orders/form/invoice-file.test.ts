import { expect, test } from 'vitest'
import { invoiceText } from './invoice-file.ts'

const note = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><NFe><xProd>CONEXÃO Nº 2</xProd></NFe>`
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const utf8 = (text: string) => new Uint8Array(Buffer.from(text))
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'))
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16())

test.each([
  ['ISO-8859-1', 'as declared', latin1(note('ISO-8859-1'))],
  ['windows-1252', 'as declared', latin1(note('windows-1252'))],
  ['UTF-8', 'as declared', utf8(note('UTF-8'))],
  ['UTF-8', 'with its mark', utf8(`\ufeff${note('UTF-8')}`)],
  ['UTF-8', 'and is Latin-1', latin1(note('UTF-8'))],
  ['ISO-8859-1', 'and is UTF-8', utf8(note('ISO-8859-1'))],
  ['UTF-16', 'with its mark, little-endian', utf16(`\ufeff${note('UTF-16')}`)],
  ['UTF-16', 'with its mark, big-endian', swapped(`\ufeff${note('UTF-16')}`)],
  ['UTF-16', 'without a mark, little-endian', utf16(note('UTF-16'))],
  ['UTF-16', 'without a mark, big-endian', swapped(note('UTF-16'))],
])('a note that says %s, %s, is read with its accents', (encoding, _, bytes) =>
  expect(invoiceText(bytes)).toEqual({ xml: note(encoding) }),
)

test('bytes after the end that are no text do not damage a note', () => {
  const read = invoiceText(new Uint8Array([...utf8(note('UTF-8')), 0, 0xff, 0xfe, 0x41]))
  expect('xml' in read && read.xml).toContain(note('UTF-8'))
})

test('an encoding that nobody knows, damaged letters and an empty file are named', () => {
  expect(invoiceText(latin1(note('ibm850')))).toEqual({
    problem: 'O XML da nota está na codificação «ibm850», que não é conhecida.',
  })
  const damaged = utf8(note('UTF-8'))
  damaged[damaged.indexOf(0xba)] = 0x41
  expect(invoiceText(damaged)).toEqual({
    problem: 'O XML da nota tem letras danificadas. Baixe-o de novo.',
  })
  expect(invoiceText(new Uint8Array())).toEqual({ problem: 'O arquivo está vazio.' })
})

test('taxes and signature, of which nothing is read, are not sent', () => {
  const xml =
    '<n:NFe><det><prod/><n:imposto><vBC>1</vBC></n:imposto></det><Signature xmlns="x">a\nb</Signature></n:NFe>'
  expect(invoiceText(utf8(xml))).toEqual({ xml: '<n:NFe><det><prod/></det></n:NFe>' })
})
