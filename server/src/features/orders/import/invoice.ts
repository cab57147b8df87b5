import { invalid } from '@garantia/shared/errors'
import type { InvoiceView } from '@garantia/shared/orders/prefill'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'

const NOT_AN_INVOICE = 'O arquivo não é o XML de uma NF-e (layout 4.00).'
/** A line per item must fit into the field of the order. */
const LONGEST = 5_000

type Row = Readonly<Record<string, unknown>>
const text = (row: Row, name: string) => {
  const value = row[name]
  return value === null || value === undefined || value === '' ? null : String(value)
}
/** Amounts of an NF-e have a decimal point and no thousands separator. */
const amount = (row: Row, name: string) => {
  const value = Number(text(row, name) ?? 0)
  if (!Number.isFinite(value)) throw invalid(NOT_AN_INVOICE, 'xml')
  return value
}
const cents = (value: number) => Math.round(value * 100) / 100

/**
 * Reads what an order takes from an NF-e. Its parser is JavaScript without native code and resolves nothing
 * but the five entities of XML; a document type, which an NF-e must not have, is refused. 401 when anonymous;
 * 422 for anything else than an NF-e of layout 4.00.
 */
export async function readInvoice(ctx: Ctx, xml: string): Promise<InvoiceView> {
  authorize(ctx.actor, 'order.list')
  if (/<!DOCTYPE/i.test(xml)) throw invalid(NOT_AN_INVOICE, 'xml')
  const { readXml } = await import('hucre/xml')
  const rowsOf = (rowTag: string): readonly Row[] => {
    try {
      return readXml(xml, { rowTag, stripNamespaces: true }).data
    } catch {
      throw invalid(NOT_AN_INVOICE, 'xml')
    }
  }
  const [note, ...others] = rowsOf('infNFe')
  if (!note || text(note, '@versao') !== '4.00') throw invalid(NOT_AN_INVOICE, 'xml')
  if (others.length > 0) throw invalid('O arquivo tem mais de uma NF-e: envie uma de cada vez.', 'xml')
  const items = rowsOf('det').map((row) => ({
    code: text(row, 'prod.cProd') ?? '',
    description: text(row, 'prod.xProd') ?? '',
    quantity: amount(row, 'prod.qCom'),
    total: cents(amount(row, 'prod.vProd') - amount(row, 'prod.vDesc')),
  }))
  return {
    number: text(note, 'ide.nNF'),
    items,
    parts_value: cents(items.reduce((sum, { total }) => sum + total, 0)),
    parts_replaced: items.map(partLine).join('\n').slice(0, LONGEST),
    total: note['total.ICMSTot.vNF'] === undefined ? null : amount(note, 'total.ICMSTot.vNF'),
  }
}

const partLine = ({ code, description, quantity }: InvoiceView['items'][number]) =>
  `${quantity.toLocaleString('pt-BR')} × ${description}${code && ` (${code})`}`
