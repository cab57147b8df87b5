/** The text of an XML file, or what is wrong with it in Portuguese. */
type InvoiceText = { xml: string } | { problem: string }

const LOST = 'O XML da nota tem letras danificadas. Baixe-o de novo.'

/**
 * The text of an NF-e: by its byte order mark, else as UTF-8 when it is that, else in the encoding it declares. Text with
 * accents in a single-byte encoding is never UTF-8, whatever is declared; undeclared it is taken for Windows-1252. Taxes
 * of the items and signature, of which nothing is read, are left out.
 */
export function invoiceText(bytes: Uint8Array): InvoiceText {
  if (bytes.length === 0) return { problem: 'O arquivo está vazio.' }
  const decoded = decode(bytes)
  return 'problem' in decoded ? decoded : { xml: withoutUnread(decoded.xml) }
}

function decode(bytes: Uint8Array): InvoiceText {
  const wide = wideEncoding(bytes)
  if (wide) return { xml: new TextDecoder(wide).decode(bytes) }
  try {
    return { xml: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const beginning = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200))
    const declared = /<\?xml[^>]*encoding\s*=\s*["']([^"'>]+)/i.exec(beginning)?.[1]
    if (declared && !/^utf-?8$/i.test(declared)) return decodeAs(declared, bytes)
    const xml = new TextDecoder().decode(bytes)
    const note = xml.slice(0, xml.lastIndexOf('>') + 1)
    // Bytes after the note may be anything.
    if (!note.includes('\ufffd')) return { xml }
    // Other characters decoded well, so this is UTF-8 with damage, not Latin-1.
    if (/[\u0080-\ufffc]/.test(note)) return { problem: LOST }
    return decodeAs('windows-1252', bytes)
  }
}

function decodeAs(encoding: string, bytes: Uint8Array): InvoiceText {
  try {
    return { xml: new TextDecoder(encoding).decode(bytes) }
  } catch {
    return { problem: `O XML da nota está na codificação «${encoding}», que não é conhecida.` }
  }
}

/** UTF-16 by its mark, or by the zero in the first character. */
function wideEncoding([first, second]: Uint8Array) {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return null
}

const UNREAD = /<((?:\w+:)?(?:imposto|infAdProd|Signature))(?:\s[^>]*)?>[\s\S]*?<\/\1\s*>/g
const withoutUnread = (xml: string) => xml.replace(UNREAD, '')
