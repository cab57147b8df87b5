import { invalid } from '@garantia/shared/errors'
import { type InvoiceView, partLines } from '@garantia/shared/orders/prefill'
import { authorize } from '@garantia/shared/policy'
import type { Ctx } from '../../../kernel/context.ts'
import { callerKeyOf } from '../../../kernel/passwords.ts'
import { throttle } from '../../../kernel/throttle.ts'
import { NOT_AN_INVOICE, readInvoiceXml, type XmlTexts } from './invoice-xml.ts'

/** Documents that a person may have read within five minutes. */
const READ = { hits: 60, window_seconds: 300 }

const text = (texts: XmlTexts, path: string) => texts.get(path)?.trim() || null
/** Amounts of an NF-e have a decimal point and no thousands separator. 422 for anything else; null when absent. */
function amount(texts: XmlTexts, path: string, where: string) {
  const value = text(texts, path)
  if (value === null) return null
  if (!/^\d{1,15}(\.\d{1,10})?$/.test(value))
    throw invalid(`${where}: o valor de ${path.split('/').at(-1)} não é um número.`, 'xml')
  return Number(value)
}
const cents = (value: number) => Math.round(value * 100) / 100

/**
 * Reads what an order takes from an NF-e. 401 when anonymous; 422 for anything else than one NF-e of layout 4.00, with
 * what is wrong; 429 when the caller has had 60 read within five minutes.
 */
export async function readInvoice(ctx: Ctx, xml: string): Promise<InvoiceView> {
  authorize(ctx.actor, 'order.list')
  const reason = `Você já leu ${READ.hits} notas em cinco minutos, o limite por pessoa.`
  await throttle(ctx, { bucket: `invoice|${callerKeyOf(ctx)}`, reason, ...READ })
  const [note, ...others] = await readInvoiceXml(xml)
  if (!note) throw invalid(NOT_AN_INVOICE, 'xml')
  if (others.length > 0) throw invalid('O arquivo tem mais de uma NF-e: envie uma de cada vez.', 'xml')
  if (note.version !== '4.00')
    throw invalid(`A nota é do layout ${note.version || 'sem versão'}, e só o 4.00 é lido.`, 'xml')
  const { header } = note
  const items = note.items.map((item, index) => {
    const where = `Item ${index + 1}`
    const price = amount(item, 'prod/vProd', where)
    if (price === null) throw invalid(`${where}: falta o valor (vProd) no XML da nota.`, 'xml')
    return {
      code: text(item, 'prod/cProd') ?? '',
      description: text(item, 'prod/xProd') ?? '',
      quantity: amount(item, 'prod/qCom', where) ?? 0,
      total: cents(price - (amount(item, 'prod/vDesc', where) ?? 0)),
      is_in_total: text(item, 'prod/indTot') !== '0',
    }
  })
  const { text: parts_replaced, left_out } = partLines(items)
  const counted = items.filter(({ is_in_total }) => is_in_total)
  return {
    number: text(header, 'ide/nNF'),
    items,
    parts_value: cents(counted.reduce((sum, { total }) => sum + total, 0)),
    parts_replaced,
    left_out,
    // vNF leaves out IBS, CBS and IS, which are on top; vNFTot (NT 2025.002) has them.
    total: amount(header, 'total/vNFTot', 'Total') ?? amount(header, 'total/ICMSTot/vNF', 'Total'),
  }
}
