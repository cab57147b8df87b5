import { setImmediate } from 'node:timers/promises'
import { invalid } from '@garantia/shared/errors'
import type { SaxesParser } from 'saxes'

/**
 * An NF-e of layout 4.00 has 990 items at most, each with up to a hundred elements of taxes, is ten elements deep, and
 * its elements have few attributes. With these limits 900 KB of anything are read or refused within 150 ms of processor
 * time.
 */
const MOST = { items: 990, elements: 150_000, depth: 24, attributes: 20 } as const
/** Characters read before other requests have their turn. */
const PIECE = 100_000

/** What is read of an NF-e, by the path below `infNFe`; of an item, below its `det`. */
const WANTED = new Set([
  ...['ide/nNF', 'total/vNFTot', 'total/ICMSTot/vNF'],
  ...['prod/cProd', 'prod/xProd', 'prod/qCom', 'prod/vProd', 'prod/vDesc', 'prod/indTot'],
])

export const NOT_AN_INVOICE = 'O arquivo não é o XML de uma NF-e (layout 4.00).'
const AGAIN = 'Baixe o XML da nota de novo.'

/** Texts by their path. */
export type XmlTexts = ReadonlyMap<string, string>
export interface InvoiceXml {
  version: string
  header: XmlTexts
  items: readonly XmlTexts[]
}

interface Note {
  version: string
  header: Map<string, string>
  items: Map<string, string>[]
}

/**
 * Reads the NF-e of a document in one pass that ends at the first fault, so memory and time are bounded by its length.
 * Knows only the five predefined entities. Ignores text before the first element and after the last one. 422 when it is not well-formed, has a document type, or passes what an NF-e may have.
 */
export async function readInvoiceXml(xml: string): Promise<InvoiceXml[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  const notes = notesIn(parser)
  const text = xml.slice(Math.max(0, xml.indexOf('<')))
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE))
    if (at + PIECE < text.length) await setImmediate()
  }
  parser.close()
  return notes
}

function notesIn(parser: SaxesParser) {
  const notes: Note[] = []
  const path: string[] = []
  let elements = 0
  let attributes = 0
  /** Where `infNFe` is in the path; -1 outside of one. */
  let begin = -1
  let hasEnded = false
  parser.on('error', ({ message }) => {
    if (hasEnded) return
    if (notes.length === 0) refuse(NOT_AN_INVOICE)
    const isCut = /unclosed tag|unexpected end/.test(message)
    const where = isCut ? 'está incompleto: o arquivo termina antes do fim dela' : 'está danificado'
    const line = isCut ? '' : `, na linha ${parser.line}, coluna ${parser.column}`
    refuse(`O XML da nota ${where}${line}. ${AGAIN}`)
  })
  parser.on('doctype', () => refuse(NOT_AN_INVOICE))
  parser.on('opentagstart', ({ name }) => {
    path.push(name.slice(name.indexOf(':') + 1))
    attributes = 0
    if (++elements > MOST.elements || path.length > MOST.depth) refuse(NOT_AN_INVOICE)
    if (begin < 0 && path.at(-1) === 'infNFe') {
      begin = path.length - 1
      notes.push({ version: '', header: new Map(), items: [] })
    }
    const items = path.length === begin + 2 && path.at(-1) === 'det' ? notes.at(-1)?.items : undefined
    if (begin >= 0 && items && items.push(new Map()) > MOST.items)
      refuse(`A nota tem mais de ${MOST.items} itens, o máximo de uma NF-e.`)
  })
  parser.on('attribute', ({ name, value }) => {
    if (++attributes > MOST.attributes) refuse(NOT_AN_INVOICE)
    const note = notes.at(-1)
    if (note && path.length === begin + 1 && name === 'versao') note.version = value
  })
  const add = (text: string) => {
    const note = notes.at(-1)
    if (!note || begin < 0) return
    const isOfItem = path[begin + 1] === 'det'
    const at = path.slice(begin + (isOfItem ? 2 : 1)).join('/')
    const texts = isOfItem ? note.items.at(-1) : note.header
    if (WANTED.has(at)) texts?.set(at, (texts.get(at) ?? '') + text)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    path.pop()
    if (path.length === begin) begin = -1
    hasEnded ||= path.length === 0
  })
  return notes
}

function refuse(why: string): never {
  throw invalid(why, 'xml')
}
