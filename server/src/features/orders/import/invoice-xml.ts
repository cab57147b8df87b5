import type { SaxesParser } from 'saxes'

/**
 * An NF-e of layout 4.00 has 990 items at most, is ten elements deep, and its elements have few attributes. With
 * these limits 500 KB of anything are read or refused within 50 ms of processor time.
 */
const MOST = { items: 990, elements: 20_000, depth: 24, attributes: 20 } as const

/** What is read of an NF-e, by the path below `infNFe`; of an item, below its `det`. */
const WANTED = new Set([
  ...['ide/nNF', 'emit/CNPJ', 'emit/CPF', 'emit/xNome', 'dest/CNPJ', 'dest/CPF', 'dest/xNome'],
  ...['total/ICMSTot/vNF', 'prod/cProd', 'prod/xProd', 'prod/qCom', 'prod/vProd', 'prod/vDesc'],
])

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
 * The NF-e of a document in one pass, which ends at the first fault: the memory and time it takes are bounded by the
 * length of the document. No entity but the five of XML is known. Throws an Error when it is not well-formed, has a
 * document type, or passes what an NF-e may have.
 */
export async function readInvoiceXml(xml: string): Promise<InvoiceXml[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  const notes = notesIn(parser)
  parser.write(xml).close()
  return notes
}

function notesIn(parser: SaxesParser) {
  const notes: Note[] = []
  const path: string[] = []
  let elements = 0
  let attributes = 0
  /** Where `infNFe` is in the path; -1 outside of one. */
  let begin = -1
  parser.on('doctype', () => refuse('has a document type'))
  parser.on('opentagstart', ({ name }) => {
    path.push(name.slice(name.indexOf(':') + 1))
    attributes = 0
    if (++elements > MOST.elements || path.length > MOST.depth) refuse('has too many elements')
    if (begin < 0 && path.at(-1) === 'infNFe') {
      begin = path.length - 1
      notes.push({ version: '', header: new Map(), items: [] })
    }
    const items = path.length === begin + 2 && path.at(-1) === 'det' ? notes.at(-1)?.items : undefined
    if (begin >= 0 && items && items.push(new Map()) > MOST.items) refuse('has too many items')
  })
  parser.on('attribute', ({ name, value }) => {
    if (++attributes > MOST.attributes) refuse('has too many attributes')
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
  })
  return notes
}

function refuse(why: string): never {
  throw new Error(`The document ${why}`)
}
