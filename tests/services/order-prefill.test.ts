import { readInvoice } from '@garantia/server/features/orders/import'
import { findEarlierOrder, proposeNumber, viewOrder } from '@garantia/server/features/orders/order'
import { afterAll, expect, test } from 'vitest'
import { slowness } from '../support/machine-speed.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const company = await testApp.make.company()
const { ctx } = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
const CHASSIS = '9BWZZZ377VT004251'

test('an order that a person looks at, and one that their phone keeps, are noted as such', async () => {
  const { id } = await testApp.make.order({ company_id: company.id })
  const noted: unknown[] = []
  const listening = {
    ...ctx,
    securityLog: { ...ctx.securityLog, note: (_: unknown, one: unknown) => noted.push(one) },
  }
  expect(await viewOrder(listening, id)).toMatchObject({ id })
  expect(await viewOrder(listening, id, true)).toMatchObject({ id })
  expect(noted).toEqual([
    { kind: 'order.read', order_id: id },
    { kind: 'order.kept', order_id: id },
  ])
})

test('the newest order of a chassis in scope is found, and the look is noted', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  await testApp.make.order({
    company_id: company.id,
    vehicle_chassis: CHASSIS,
    opened_at: at(1),
    customer_name: 'Ana',
  })
  const newest = await testApp.make.order({
    company_id: company.id,
    vehicle_chassis: CHASSIS,
    opened_at: at(5),
    customer_name: 'Beto',
    customer_document: '52998224725',
    vehicle_plate: 'ABC1D23',
  })
  await testApp.make.order({ vehicle_chassis: CHASSIS, opened_at: at(9), customer_name: 'De outra empresa' })
  await testApp.make.order({
    company_id: company.id,
    vehicle_chassis: CHASSIS,
    opened_at: at(8),
    deleted_at: new Date(),
  })
  const noted: unknown[] = []
  const listening = {
    ...ctx,
    securityLog: { ...ctx.securityLog, note: (_: unknown, one: unknown) => noted.push(one) },
  }
  expect(await findEarlierOrder(listening, CHASSIS)).toMatchObject({
    id: newest.id,
    os_number: newest.os_number,
    brand_id: newest.brand_id,
    customer_name: 'Beto',
    customer_document: '52998224725',
    vehicle_plate: 'ABC1D23',
  })
  expect(noted).toEqual([{ kind: 'order.read', order_id: newest.id }])
  expect(await findEarlierOrder(ctx, '9BWZZZ377VT009999')).toBeNull()
})

test('the number proposed follows the order opened last, and is free', async () => {
  const own = await testApp.make.company({ parent_id: company.id })
  const { ctx } = await testApp.as(await testApp.make.user({ role: 'manager', company_id: company.id }))
  const open = (os_number: string, day: number) =>
    testApp.make.order({ company_id: own.id, os_number, opened_at: new Date(Date.UTC(2026, 0, day)) })
  expect(await proposeNumber(ctx, own.id)).toEqual({ os_number: null })
  await open('900000', 1)
  await open('012345', 2)
  await open('012346', 1)
  expect(await proposeNumber(ctx, own.id)).toEqual({ os_number: '012347' })
  await open('999999', 3)
  expect(await proposeNumber(ctx, own.id)).toEqual({ os_number: null })
  await expect(proposeNumber(ctx, (await testApp.make.company()).id)).rejects.toMatchObject({
    code: 'not_found',
  })
})

const NFE = `<?xml version="1.0" encoding="UTF-8"?>
<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe Id="NFe1" versao="4.00">
<ide><nNF>1234</nNF></ide>
<emit><CNPJ>11222333000181</CNPJ><xNome>Pe&#231;as &amp; Cia</xNome></emit>
<dest><CPF>52998224725</CPF><xNome>Maria</xNome></dest>
<det nItem="1"><prod><cProd>A1</cProd><xProd>Bomba d'água</xProd><qCom>2.0000</qCom><vProd>21.10</vProd><vDesc>1.00</vDesc></prod></det>
<det nItem="2"><prod><cProd></cProd><xProd>Correia</xProd><qCom>1.5</qCom><vProd>100.00</vProd></prod></det>
<total><ICMSTot><vProd>121.10</vProd><vNF>130.10</vNF></ICMSTot></total>
</infNFe></NFe></nfeProc>`

test('an NF-e gives parts and values', async () => {
  expect(await readInvoice(ctx, NFE)).toEqual({
    number: '1234',
    items: [
      { code: 'A1', description: "Bomba d'água", quantity: 2, total: 20.1, is_in_total: true },
      { code: '', description: 'Correia', quantity: 1.5, total: 100, is_in_total: true },
    ],
    parts_value: 120.1,
    parts_replaced: "2 × Bomba d'água (A1)\n1,5 × Correia",
    left_out: 0,
    total: 130.1,
  })
})

test.each([
  ['nothing', ''],
  ['another document', '<CTe><infCte versao="4.00"/></CTe>'],
  ['another layout', NFE.replaceAll('4.00"', '3.10"')],
  ['a truncated one', NFE.slice(0, 300)],
  ['a lot of several', NFE.replace('</NFe>', '</NFe><NFe><infNFe versao="4.00"/></NFe>')],
  ['an amount that is none', NFE.replace('100.00', '1,5')],
  ['U+0000', NFE.replace('Correia', 'Corr\0eia')],
  ['half a character', NFE.replace('Correia', '&#xD83D;')],
  ['elements that do not match', NFE.replace('</ide>', '</dest>')],
  ['one with entities of its own', NFE.replace('<nfeProc', '<!DOCTYPE x [<!ENTITY a "b">]><nfeProc')],
])('an XML that is no NF-e is refused: %s', async (_, xml) => {
  await expect(readInvoice(ctx, xml)).rejects.toMatchObject({ code: 'invalid' })
})

const messageFor = (xml: string) => readInvoice(ctx, xml).catch(({ detail }) => detail[0].msg)

test('the total has IBS and CBS where the note has them, amounts as written', async () => {
  const withTaxes = NFE.replace('</ICMSTot>', '</ICMSTot><IBSCBSTot/><vNFTot>164.26</vNFTot>')
  expect(await readInvoice(ctx, withTaxes)).toMatchObject({ total: 164.26, parts_value: 120.1 })
  const small = NFE.replace('<qCom>1.5<', '<qCom>0.1234<')
  expect((await readInvoice(ctx, small)).parts_replaced).toContain('0,1234 × Correia')
})

test('an item that the note does not count is listed, and not part of the value', async () => {
  const gift = NFE.replace('<vProd>100.00</vProd>', '<vProd>100.00</vProd><indTot>0</indTot>')
  expect(await readInvoice(ctx, gift)).toMatchObject({
    parts_value: 20.1,
    parts_replaced: "2 × Bomba d'água (A1)\n1,5 × Correia",
    items: [{ is_in_total: true }, { is_in_total: false, total: 100 }],
  })
})

test.each([
  ['blanks and newlines before it', `\n  ${NFE}`],
  ['a byte order mark and blanks before it', `\ufeff\r\n${NFE}`],
  ['NULs after it', `${NFE}\0\0\0`],
  ['text after it', `${NFE}\nEnviado pelo sistema`],
  ['UTF-16 declared', NFE.replace('UTF-8', 'UTF-16')],
])('a note with %s is read', async (_, xml) => {
  expect(await readInvoice(ctx, xml)).toMatchObject({ number: '1234', parts_value: 120.1 })
})

test.each([
  ['', /^O arquivo não é o XML de uma NF-e/],
  ['<html><body>Entrar</body></html>', /^O arquivo não é o XML de uma NF-e/],
  [NFE.slice(0, 500), /^O XML da nota está incompleto/],
  [NFE.replace('</ide>', '</dest>'), /^O XML da nota está danificado, na linha 3, coluna \d+\. Baixe/],
  [NFE.replaceAll('4.00"', '3.10"'), 'A nota é do layout 3.10, e só o 4.00 é lido.'],
  [NFE.replace('100.00', '1,5'), 'Item 2: o valor de vProd não é um número.'],
  [NFE.replace('<vProd>100.00</vProd>', ''), 'Item 2: falta o valor (vProd) no XML da nota.'],
  [NFE + NFE, 'O arquivo tem mais de uma NF-e: envie uma de cada vez.'],
  [
    NFE.replace('<det nItem="1">', `${'<det><a/></det>'.repeat(990)}<det nItem="1">`),
    'A nota tem mais de 990 itens, o máximo de uma NF-e.',
  ],
])('what is wrong with a note is said in Portuguese: %#', async (xml, message) =>
  expect(await messageFor(xml)).toMatch(message),
)

test('a note of 990 items with all their taxes is read whole, and what the field has no room for is counted', async () => {
  const taxes = `<imposto>${'<vBC>0.00</vBC>'.repeat(60)}</imposto>`
  const item = (n: number) =>
    `<det nItem="${n}"><prod><cProd>P${n}</cProd><xProd>Pastilha</xProd><qCom>1.0000</qCom><vProd>0.10</vProd><indTot>1</indTot></prod>${taxes}</det>`
  const items = numbered((n) => item(n + 1), 990)
  const read = await readInvoice(ctx, NFE.replace(/<det.*<\/det>/s, items))
  expect(read.items).toHaveLength(990)
  expect(read.parts_value).toBe(99)
  const lines = read.parts_replaced.split('\n')
  expect(read.parts_replaced.length).toBeLessThanOrEqual(5_000)
  expect(lines.at(-1)).toBe(`… e mais ${read.left_out} itens da nota`)
  expect(lines.length - 1 + read.left_out).toBe(990)
  expect(lines.at(-2)).toBe(`1 × Pastilha (P${lines.length - 1})`)
})

/** 900 KB of one text between the beginning and the end of an NF-e. */
const filled = (one: string) =>
  `<NFe><infNFe versao="4.00">${one.repeat(Math.floor(899_900 / one.length))}</infNFe></NFe>`
const numbered = (one: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')
test.each([
  ['items, each with a field of its own', filled(numbered((n) => `<det><a${n}/></det>`, 990))],
  ['twenty thousand items', numbered(() => '<det><a/></det>', 20_000)],
  ['elements in elements', filled('<a>')],
  ['attributes', `<a ${numbered((n) => `a${n}="" `, 80_000)}/>`],
  ['references to characters', filled('&#65;')],
  [
    'references to an entity',
    `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(1_000)}">]><a>${'&a;'.repeat(90_000)}</a>`,
  ],
  ['sections', filled('<![CDATA[x]]>')],
])('900 KB of nothing but %s cost a fraction of a second', async (_, xml) => {
  const before = process.cpuUsage()
  await readInvoice(ctx, xml).catch(({ code }) => expect(code).toBe('invalid'))
  const { user, system } = process.cpuUsage(before)
  // 60 ms on a quiet machine; the reader before this one took minutes and gigabytes for the first.
  expect((user + system) / 1_000 / slowness()).toBeLessThan(700)
})

test('a person may have sixty documents read in five minutes', async () => {
  const { ctx } = await testApp.as(await testApp.make.user({ role: 'technician', company_id: company.id }))
  const codes: string[] = []
  for (let n = 0; n < 61; n++) codes.push(await readInvoice(ctx, '').catch(({ code }) => code))
  expect(codes.indexOf('too_many')).toBe(60)
})
