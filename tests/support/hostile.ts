import { readFile } from 'node:fs/promises'
import { deflateRawSync } from 'node:zlib'
import { picture } from './make.ts'
import * as media from './media.ts'

/** The result for a file: the name and format it is stored under, or the status and reason of its refusal. */
export type Verdict = { kept: string; as: string } | { refused: number; because: RegExp }

export interface Hostile {
  what: string
  filename: string
  content: (dir: string) => Promise<Buffer>
  verdict: Verdict
}

const jpeg = () => picture()
const png = () => picture('png')
const pdf = async (dir: string) => readFile(await media.pdf(dir))
const bytesOf = async (path: Promise<string>) => readFile(await path)
const text = (words: string) => async () => Buffer.from(words)
const joined =
  (...parts: ((dir: string) => Promise<Buffer>)[]) =>
  async (dir: string) =>
    Buffer.concat(await Promise.all(parts.map((part) => part(dir))))
const cut = (part: (dir: string) => Promise<Buffer>, share: number) => async (dir: string) => {
  const whole = await part(dir)
  return whole.subarray(0, Math.ceil(whole.length * share))
}

const HTML = '<!doctype html><script>alert(document.cookie)</script>'
const UNKNOWN = { refused: 415, because: /^Formato não aceito/ }
const CONTRADICTS = { refused: 415, because: /^O nome termina como outro tipo/ }
const EMPTY = { refused: 422, because: /^O arquivo está vazio/ }

/** A ZIP of one deflated entry with this name: zip-slip names, and a bomb of zeros. */
const zip = (name: string, content: Buffer) => async () => {
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), packed])
}

const boxOf = (kind: string, ...content: Uint8Array[]) => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
  return Buffer.concat([size, Buffer.from(kind), ...content])
}
/** The boxes of a HEIC without its picture: it lists this many sizes, the last one of which is the largest. */
export function heicOfSizes(count: number) {
  const sizes = Array.from({ length: count }, (_, n) => {
    const content = Buffer.alloc(12)
    content.writeUInt32BE(n + 1, 4)
    content.writeUInt32BE(n + 1, 8)
    return boxOf('ispe', content)
  })
  const properties = boxOf('iprp', boxOf('ipco', ...sizes))
  return Buffer.concat([
    boxOf('ftyp', Buffer.from('heic\0\0\0\0mif1heic')),
    boxOf('meta', Buffer.alloc(4), properties),
  ])
}
/** Segments of a JPEG, each with this many bytes of content. */
export function segments(marker: number, bytes: number, count: number, begin = '') {
  const one = Buffer.alloc(4 + bytes)
  one.set([0xff, marker])
  one.writeUInt16BE(2 + bytes, 2)
  one.write(begin, 4)
  return Buffer.concat(Array.from({ length: count }, () => one))
}

/** Contents that contradict their name, or match more than one format. */
const BYTES: [what: string, filename: string, content: Hostile['content'], verdict: Verdict][] = [
  ['nothing at all', 'vazio.jpg', text(''), EMPTY],
  ['one byte', 'um.jpg', text('\xff'), UNKNOWN],
  ['only the first bytes of a JPEG', 'cabo.jpg', cut(jpeg, 0.02), { refused: 422, because: /danificada/ }],
  [
    'a JPEG cut in half',
    'meia.jpg',
    cut((dir) => bytesOf(media.photo(dir)), 0.5),
    { kept: 'meia.jpg', as: 'image' },
  ],
  ['a PDF cut in half', 'meio.pdf', cut(pdf, 0.5), { kept: 'meio.pdf', as: 'pdf' }],
  ['a page named .jpg', 'pagina.jpg', text(HTML), UNKNOWN],
  ['a script named .mp4', 'roda.mp4', text('#!/bin/sh\nrm -rf /\n'), UNKNOWN],
  ['a Windows program named .jpg', 'foto.jpg', text(`MZ${'\0'.repeat(200)}PE\0\0`), UNKNOWN],
  ['a Linux program named .pdf', 'laudo.pdf', text(`\x7fELF\x02\x01\x01${'\0'.repeat(80)}`), UNKNOWN],
  ['a drawing that runs scripts', 'desenho.svg', (dir) => bytesOf(media.svg(dir)), UNKNOWN],
  ['a drawing named .png', 'desenho.png', (dir) => bytesOf(media.svg(dir)), UNKNOWN],
  ['a GIF, which no brand knows', 'anda.gif', text(`GIF89a${'\0'.repeat(60)}`), UNKNOWN],
  ['a bare ZIP that leaves its folder', 'sai.zip', zip('../../../etc/cron.d/x', Buffer.from('x')), UNKNOWN],
  [
    'a ZIP bomb that is a .docx, which nobody unpacks',
    'bomba.docx',
    zip('word/document.xml', Buffer.alloc(400_000)),
    { kept: 'bomba.docx', as: 'document' },
  ],
  ['a PDF named .jpg', 'foto.jpg', pdf, CONTRADICTS],
  ['a JPEG named .mp4', 'video.mp4', jpeg, CONTRADICTS],
  ['a JPEG named .pdf', 'laudo.pdf', jpeg, CONTRADICTS],
  ['a PNG named .jpg, as messengers do', 'foto.jpg', png, { kept: 'foto.png', as: 'image' }],
  [
    'a picture of 300 megapixels',
    'bomba.png',
    (dir) => bytesOf(media.hugePng(dir)),
    { refused: 422, because: /300 megapixels; o máximo é 210/ },
  ],
  [
    'a HEIC that lists 20 000 sizes',
    'lista.heic',
    async () => heicOfSizes(20_000),
    { refused: 422, because: /danificada/ },
  ],
  ['a playlist of a neighbour', 'lista.mp4', (dir) => bytesOf(media.hlsText(dir, '../../1/a.mp4')), UNKNOWN],
  [
    'a playlist of a server',
    'rede.mp4',
    (dir) => bytesOf(media.hlsText(dir, 'http://127.0.0.1:9/a')),
    UNKNOWN,
  ],
  ['a list for ffmpeg', 'concat.mkv', (dir) => bytesOf(media.ffconcatText(dir, '/etc/passwd')), UNKNOWN],
  ['a JPEG with a page behind it', 'duas.jpg', joined(jpeg, text(HTML)), { kept: 'duas.jpg', as: 'image' }],
  [
    'a PNG with a ZIP behind it',
    'tres.png',
    joined(png, zip('../x', Buffer.from('x'))),
    { kept: 'tres.png', as: 'image' },
  ],
  ['a JPEG with a PDF behind it', 'quatro.jpg', joined(jpeg, pdf), { kept: 'quatro.jpg', as: 'image' }],
  ['a PDF with a page before it', 'cinco.pdf', joined(text(HTML), pdf), UNKNOWN],
  [
    'a PDF with a program behind it',
    'seis.pdf',
    joined(pdf, text('MZ\0\0')),
    { kept: 'seis.pdf', as: 'pdf' },
  ],
  [
    'more than a file may have',
    'grande.jpg',
    joined(jpeg, async () => Buffer.alloc(500_001)),
    { refused: 413, because: /^«grande\.jpg» passa de 500 KB/ },
  ],
]

const X = 'x'.repeat(300)
/** A valid picture under a hostile name; a multipart body can carry all of these. */
const NAMES: [filename: string, kept: string][] = [
  ['../../../etc/passwd.jpg', 'passwd.jpg'],
  ['..\\..\\boot.jpg', 'boot.jpg'],
  ['C:\\Windows\\sistema.jpg', 'sistema.jpg'],
  ['/var/www/raiz.jpg', 'raiz.jpg'],
  ['....//....//sobe.jpg', 'sobe.jpg'],
  ['%2e%2e%2fescapado.jpg', '%2e%2e%2fescapado.jpg'],
  ['\u202Egpj.exe.jpg', 'gpj.exe.jpg'],
  ['meio\u2066dir\u2069eita.jpg', 'meiodireita.jpg'],
  ['zero\u200Blargura\uFEFF.jpg', 'zerolargura.jpg'],
  [`${X}.jpg`, `${'x'.repeat(176)}.jpg`],
  [`${'ç'.repeat(200)}.jpg`, `${'ç'.repeat(88)}.jpg`],
  [`${'😀'.repeat(100)}.jpg`, `${'😀'.repeat(44)}.jpg`],
  ['emoji 🚗💥.jpg', 'emoji 🚗💥.jpg'],
  ['漢字 العربية עברית.jpg', '漢字 العربية עברית.jpg'],
  ['cafe\u0301.jpg', 'café.jpg'],
  ['CON.jpg', 'CON.jpg'],
  ['.htaccess', '.htaccess.jpg'],
  ['foto.jpg.exe', 'foto.jpg.exe.jpg'],
  ['foto.php', 'foto.php.jpg'],
  ['foto.html', 'foto.html.jpg'],
  ['=cmd|calc!A1.jpg', '=cmd|calc!A1.jpg'],
  ['$(reboot)`id`;&&.jpg', '$(reboot)`id`;&&.jpg'],
  ['<img src=x onerror=alert(1)>.jpg', '<img src=x onerror=alert(1)>.jpg'],
  ["'; drop table users; --.jpg", "'; drop table users; --.jpg"],
  ['-rf.jpg', '-rf.jpg'],
  ['   .jpg', '.jpg'],
  ['...', 'arquivo.jpg'],
  ['..', 'arquivo.jpg'],
  ['sem-extensao', 'sem-extensao.jpg'],
]

export const HOSTILE: Hostile[] = [
  ...BYTES.map(([what, filename, content, verdict]) => ({ what, filename, content, verdict })),
  ...NAMES.map(([filename, kept]) => ({
    what: `a picture called ${JSON.stringify(filename)}`,
    filename,
    content: jpeg,
    verdict: { kept, as: 'image' },
  })),
]
