import { strToU8, zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'

/** Workbooks, CSV and NF-e: valid ones to mutate, and hostile ones made by hand. */

const HEADINGS = ['OS', 'Abertura', 'Cliente', 'CPF/CNPJ', 'Telefone', 'Chassi', 'KM', 'Valor peças']
const rows = (first: number) =>
  Array.from({ length: 40 }, (_, n) => [
    ...[first + n, new Date(Date.UTC(2026, n % 9, 1 + (n % 28))), `Cliente ${n} çã`, '529.982.247-25'],
    ...['(11) 98765-4321', `9BWZZZ377VT${String(n).padStart(6, '0')}`, n * 1_000, n + 0.5],
  ])

export const xlsxSeeds = async () =>
  Promise.all(
    [100_000, 200_000].map(async (first) =>
      Buffer.from(await writeXlsx({ sheets: [{ name: 'OS', rows: [HEADINGS, ...rows(first)] }] })),
    ),
  )

const csv = (separator: string, end: string) =>
  [HEADINGS, ...rows(300_000)]
    .map((cells) => cells.map((cell) => (cell instanceof Date ? '05/01/2026' : `"${cell}"`)).join(separator))
    .join(end)
export const csvSeeds = () => [
  Buffer.from(csv(';', '\r\n')),
  Buffer.from(csv(',', '\n'), 'latin1'),
  Buffer.from(`\ufeff${csv('\t', '\n')}`),
]

const item = (n: number) =>
  `<det nItem="${n}"><prod><cProd>A${n}</cProd><xProd>Peça &amp; cia ${n}</xProd><qCom>2.0000</qCom><vProd>21.10</vProd><vDesc>1.00</vDesc></prod></det>`
const nfe = (prefix = '', inside = [1, 2, 3].map(item).join('')) =>
  `<?xml version="1.0" encoding="UTF-8"?>${prefix}<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe1" versao="4.00"><ide><nNF>1234</nNF></ide><emit><CNPJ>11222333000181</CNPJ><xNome>Peças</xNome></emit><dest><CPF>52998224725</CPF></dest>${inside}<total><ICMSTot><vNF>130.10</vNF></ICMSTot></total></infNFe></NFe></nfeProc>`
export const nfeSeeds = () => [
  Buffer.from(nfe()),
  Buffer.from(nfe('', Array.from({ length: 200 }, (_, n) => item(n)).join(''))),
]

const LAUGHS = `<!DOCTYPE a [<!ENTITY a0 "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join('')}]>`
const EXTERNAL =
  '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY % b SYSTEM "http://127.0.0.1:9/">%b;]>'
const filled = (one: string, bytes: number) => one.repeat(Math.floor(bytes / one.length))
const counted = (one: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')

export const hostileNfe = (): Buffer[] =>
  [
    ...[nfe(LAUGHS, '&a20;'), nfe(EXTERNAL, '&a;'), nfe('', '&#0;'), nfe('', '\0'), nfe('', '&#xD83D;')],
    ...['', ' ', '<', '\ufeff', 'null', '{}', nfe().slice(0, -5), nfe().repeat(2), nfe('', nfe())],
    ...[filled('<a>', 450_000), nfe('', filled('<det/>', 450_000)), nfe('', filled('&#65;', 450_000))],
    nfe(
      '',
      counted((n) => `<det><a${n}/></det>`, 20_000),
    ),
    `<a ${counted((n) => `a${n}="" `, 40_000)}/>`,
    nfe('', filled('<![CDATA[x]]>', 450_000)),
    nfe('', item(1).replace('21.10', '9'.repeat(400_000))),
    nfe('', item(1).replace('21.10', '1e308')),
    nfe('', item(1).replace('2.0000', 'Infinity')),
    nfe('', item(1).replace('Peça', 'x'.repeat(450_000))),
  ].map((xml) => Buffer.from(xml))

export const hostileCsv = (): Buffer[] =>
  [
    ...[
      'OS\n1\0',
      'OS\n"1',
      '\n'.repeat(1_000_000),
      'OS',
      '"',
      '""',
      '\ufeff',
      ';;;\n;;;\n',
      'OS\n=cmd|x!A1\n',
    ],
    ...[`OS\n${filled('"', 5_000_000)}`, `OS\n${filled('";"', 5_000_000)}`, filled('a;', 5_000_000)],
    ...[filled(';', 9_000_000), `OS\n${filled('1\n', 9_000_000)}`, `OS\n${filled('x', 9_000_000)}`],
    ...[`OS\n${filled('\r', 5_000_000)}`, `OS\n${filled('"\n', 5_000_000)}`, filled('a,b\tc;d|', 5_000_000)],
    `${counted((n) => `c${n};`, 200_000)}\n${counted(() => '1;', 200_000)}\n`,
    `OS;x\n${counted((n) => `${n};${'y'.repeat(9_000)}\n`, 1_000)}`,
    `OS\n${'é'.repeat(10_001)}\n`,
    `OS;${'t'.repeat(9_999)}\n1;2\n`,
  ]
    .map((text) => Buffer.from(text))
    .concat(
      Buffer.from('\ufeffOS;a\n1;2\n', 'utf16le'),
      Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0xfe, 10, 0xc3, 0x28, 10]),
      Buffer.from([79, 83, 10, 0xed, 0xa0, 0x80, 10]),
      Buffer.alloc(9_999_999, 0xff),
      Buffer.alloc(1_000_000),
    )

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const rels = (...lines: [type: string, target: string][]) =>
  `<Relationships xmlns="${RELS}">${lines.map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${R}/${type}" Target="${target}"/>`).join('')}</Relationships>`
const sheet = (data: string, before = '', after = '') =>
  `<worksheet xmlns="${MAIN}">${before}<sheetData>${data}</sheetData>${after}</worksheet>`
const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const HEAD = `<row r="1">${text('A1', 'OS')}</row>`

/** A workbook of one sheet as raw XML, with any further files. */
function book(data: string, more: Record<string, string> = {}) {
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': rels(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${R}"><sheets><sheet name="OS" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ),
    'xl/worksheets/sheet1.xml': data,
    ...more,
  }
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)]))),
  )
}
const strings = (inside: string) => ({ 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${inside}</sst>` })
const line = (cells: string, n = 2) => `<row r="${n}">${cells}</row>`

/** Says of its files that they unpack to `size` bytes, whatever they do. */
function lying(workbook: Buffer, size: number) {
  const bytes = Buffer.from(workbook)
  for (let at = 0; at < bytes.length - 30; at++) {
    if (bytes.readUInt32LE(at) === 0x04034b50) bytes.writeUInt32LE(size, at + 22)
    if (bytes.readUInt32LE(at) === 0x02014b50) bytes.writeUInt32LE(size, at + 24)
  }
  return bytes
}

export const hostileXlsx = (): Buffer[] => {
  const bomb = book(sheet(HEAD, filled(' ', 148_000_000)))
  const shared = line(counted((n) => `<c r="A${n + 2}" t="s"><v>0</v></c>`, 200))
  return [
    bomb,
    lying(bomb, 10),
    lying(book(sheet(HEAD)), 0xffffffff),
    book(sheet(HEAD + line(text('XFD2', 'x')))),
    book(sheet(HEAD + line(text('ZZZZZZ2', 'x')))),
    book(sheet(HEAD + line(counted((n) => text(`${n}`, 'x'), 1_000_000 / 10)))),
    book(sheet(HEAD + counted((n) => line(text(`XFD${n + 2}`, 'x'), n + 2), 9_000))),
    book(sheet(HEAD + line(text('A1048576', 'x'), 1_048_576))),
    book(sheet(HEAD + line(text('A99999999999', 'x'), 99_999_999_999))),
    book(sheet(HEAD + line(text(`A${-1}`, 'x'), -1))),
    book(
      sheet(HEAD + counted((n) => shared.replace('r="2"', `r="${n + 2}"`), 2_000)),
      strings(`<si><t>${'x'.repeat(30_000)}</t></si>`),
    ),
    book(
      sheet(HEAD + line('<c r="A2" t="s"><v>99999999</v></c><c r="B2" t="s"><v>-1</v></c>')),
      strings('<si/>'),
    ),
    book(sheet(HEAD + filled('<a>', 5_000_000))),
    book(sheet(HEAD), strings(filled('<si>', 5_000_000))),
    book(`${LAUGHS}${sheet(line(text('A1', '&a20;')))}`),
    book(`${EXTERNAL}${sheet(line(text('A1', '&a;')))}`),
    book(`<?xml version="1.0" encoding="UTF-16"?>${sheet(HEAD + line(text('A2', '1')))}`),
    ...['&#0;', '_x0000_', '_xD83D_', '&#xD83D;', '\0', '&#x110000;'].map((odd) =>
      book(sheet(HEAD + line(text('A2', odd)))),
    ),
    ...['1e999', 'NaN', '-1e308', '', '0x10', '9'.repeat(400_000)].map((odd) =>
      book(sheet(HEAD + line(`<c r="A2"><v>${odd}</v></c>`))),
    ),
    book(
      sheet(HEAD + line(text('A2', '1')), '', '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
    ),
    book(
      sheet(
        HEAD + line(text('A2', '1')),
        '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="999999999" width="9"/></cols>',
      ),
    ),
    book(
      sheet(
        HEAD + line(text('A2', '1')),
        '',
        `<dataValidations>${filled('<dataValidation sqref="A1:XFD1048576"/>', 3_000_000)}</dataValidations>`,
      ),
    ),
    book(sheet(HEAD), { 'xl/_rels/workbook.xml.rels': rels(['worksheet', '../../../../etc/passwd']) }),
    book(sheet(HEAD), { 'xl/_rels/workbook.xml.rels': rels(['worksheet', 'http://127.0.0.1:9/a.xml']) }),
    book(sheet(HEAD), {
      'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${R}"><sheets>${filled('<sheet name="a" sheetId="1" r:id="rId1"/>', 2_000_000)}</sheets></workbook>`,
    }),
    book(sheet(HEAD), { 'xl/workbook.xml': '' }),
    book('', {}),
    book(sheet(HEAD), {
      '../../../../tmp/sai.xml': 'x',
      __proto__: 'x',
      'xl/styles.xml': filled('<xf/>', 5_000_000),
    }),
    Buffer.from(zipSync({})),
    Buffer.from(
      zipSync(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`f${n}`, new Uint8Array()]))),
    ),
    Buffer.from('PK'),
    Buffer.alloc(2_000_000, 'PK\x01\x02'),
  ]
}
