import { invalid } from '@garantia/shared/errors'
import { beginningOf } from '@garantia/shared/fields'
import type { InvoiceView } from '@garantia/shared/orders/prefill'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { callerKeyOf } from '../../../kernel/passwords.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { readInvoiceXml, type XmlTexts } from './invoice-xml.ts'

const NOT_AN_INVOICE = 'O arquivo não é o XML de uma NF-e (layout 4.00).'
/** A line per item must fit into the field of the order. */
const LONGEST = 5_000
/** Documents that a person may have read within five minutes. */
const READ = { hits: 60, window_seconds: 300 }

const text = (texts: XmlTexts, path: string) => texts.get(path)?.trim() || null
/** Amounts of an NF-e have a decimal point and no thousands separator. */
function amount(texts: XmlTexts, path: string) {
  const value = text(texts, path) ?? '0'
  if (!/^\d{1,15}(\.\d{1,10})?$/.test(value)) throw invalid(NOT_AN_INVOICE, 'xml')
  return Number(value)
}
const cents = (value: number) => Math.round(value * 100) / 100

/**
 * Reads what an order takes from an NF-e. 401 when anonymous; 422 for anything else than one NF-e of layout 4.00;
 * 429 when the caller has had 60 read within five minutes.
 */
export async function readInvoice(ctx: Ctx, xml: string): Promise<InvoiceView> {
  authorize(ctx.actor, 'order.list')
  const reason = `Você já leu ${READ.hits} notas em cinco minutos, o limite por pessoa.`
  await throttle(ctx, { bucket: `invoice|${callerKeyOf(ctx)}`, reason, ...READ })
  const notes = await readInvoiceXml(xml).catch(() => [])
  const [note, ...others] = notes
  if (note?.version !== '4.00') throw invalid(NOT_AN_INVOICE, 'xml')
  if (others.length > 0) throw invalid('O arquivo tem mais de uma NF-e: envie uma de cada vez.', 'xml')
  const { header } = note
  const items = note.items.map((item) => ({
    code: text(item, 'prod/cProd') ?? '',
    description: text(item, 'prod/xProd') ?? '',
    quantity: amount(item, 'prod/qCom'),
    total: cents(amount(item, 'prod/vProd') - amount(item, 'prod/vDesc')),
  }))
  return {
    number: text(header, 'ide/nNF'),
    items,
    parts_value: cents(items.reduce((sum, { total }) => sum + total, 0)),
    parts_replaced: beginningOf(items.map(partLine).join('\n'), LONGEST),
    total: text(header, 'total/ICMSTot/vNF') === null ? null : amount(header, 'total/ICMSTot/vNF'),
  }
}

const partLine = ({ code, description, quantity }: InvoiceView['items'][number]) =>
  `${quantity.toLocaleString('pt-BR')} × ${description}${code && ` (${code})`}`
