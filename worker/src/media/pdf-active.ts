import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'

/** What a PDF does or carries beyond its pages. */
export interface Active {
  /** It runs something when opened, clicked or printed. */
  programs: boolean
  /** It carries other files within. */
  attachments: boolean
}

/** Actions that only move within the document, or open a page of the web when clicked. */
const HARMLESS = new Set([
  '/GoTo',
  '/Named',
  '/URI',
  '/SetOCGState',
  '/Thread',
  '/Trans',
  '/GoTo3DView',
  '/Hide',
])
const ACTION_KEYS = ['A', 'PA', 'OpenAction', 'Next']

type Place = (dict: PDFDict, value: PDFObject | undefined) => boolean
const isKind = (key: string, ...kinds: string[]): Place => {
  return (dict) => kinds.includes(String(dict.lookup(PDFName.of(key))))
}
const isNameTree: Place = (_, value) =>
  value instanceof PDFDict && ['Names', 'Kids'].some((key) => value.has(PDFName.of(key)))
const isFileSpec: Place = (dict) => ['F', 'UF', 'Type'].some((key) => dict.has(PDFName.of(key)))
/** Pictures and fonts may bear any name, so each key counts only where it means what it says. */
const PROGRAMS: Record<string, Place> = {
  AA: (_, value) => value instanceof PDFDict && value.values().some(leadsToAction),
  JavaScript: isNameTree,
  JS: (dict) => dict.has(PDFName.of('S')),
  XFA: (dict) => dict.has(PDFName.of('Fields')),
  RichMediaContent: isKind('Subtype', '/RichMedia'),
  '3DD': isKind('Subtype', '/3D'),
  Movie: isKind('Subtype', '/Movie'),
}
const ATTACHMENTS: Record<string, Place> = {
  EmbeddedFiles: isNameTree,
  EF: isFileSpec,
  RF: isFileSpec,
  Collection: isKind('Type', '/Catalog'),
}

/** Takes out what is not page: scripts, started programs, sent forms, films, attached files. */
export function removeActiveContent(pdf: PDFDocument): Active {
  const found: Active = { programs: false, attachments: false }
  for (const [, object] of pdf.context.enumerateIndirectObjects())
    eachDict(object, (dict) => {
      if (dropped(dict, PROGRAMS)) found.programs = true
      if (dropped(dict, ATTACHMENTS)) found.attachments = true
      for (const key of ACTION_KEYS.map((name) => PDFName.of(name)))
        if (isHarmful(dict.lookup(key)) && dict.delete(key)) found.programs = true
    })
  return found
}

function dropped(dict: PDFDict, parts: Record<string, Place>) {
  const found = Object.entries(parts).filter(([name, isIt]) => {
    const key = PDFName.of(name)
    return dict.has(key) && isIt(dict, dict.lookup(key))
  })
  for (const [name] of found) dict.delete(PDFName.of(name))
  return found.length > 0
}

const kindOf = (action: PDFObject | undefined) => {
  const kind = action instanceof PDFDict ? action.lookup(PDFName.of('S')) : undefined
  return kind instanceof PDFName ? kind.asString() : null
}
const isHarmful = (action: PDFObject | undefined) => {
  const kind = kindOf(action)
  return kind !== null && !HARMLESS.has(kind)
}
/** Whatever a reader does by itself, even to turn a page, nobody asked for. */
const leadsToAction = (value: PDFObject) => value instanceof PDFRef || kindOf(value) !== null

/** The dictionaries of one object, those written into it among them. */
function eachDict(object: PDFObject, visit: (dict: PDFDict) => void) {
  const stack = [object]
  for (let one = stack.pop(); one; one = stack.pop()) {
    const dict = one instanceof PDFStream ? one.dict : one
    if (dict instanceof PDFDict) {
      visit(dict)
      stack.push(...dict.values())
    } else if (dict instanceof PDFArray) stack.push(...dict.asArray())
  }
}

/** Objects that nothing leads to any more: older versions of pages, and what was taken out. */
export function dropUnused(pdf: PDFDocument) {
  const { context } = pdf
  const { Root, Info } = context.trailerInfo
  const reached = new Set<PDFRef>()
  const stack: PDFObject[] = [Root, Info].filter((one) => one !== undefined)
  for (let one = stack.pop(); one; one = stack.pop()) {
    if (one instanceof PDFRef) {
      if (reached.has(one)) continue
      reached.add(one)
      const object = context.lookup(one)
      if (object) stack.push(object)
    } else if (one instanceof PDFArray) stack.push(...one.asArray())
    else {
      const dict = one instanceof PDFStream ? one.dict : one
      if (dict instanceof PDFDict) stack.push(...dict.values())
    }
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref)
}

/** A signature covers the bytes of its file: to rewrite them is to break it. */
export function isSigned(pdf: PDFDocument) {
  const form = pdf.catalog.lookup(PDFName.of('AcroForm'))
  const flags = form instanceof PDFDict ? form.lookup(PDFName.of('SigFlags')) : undefined
  return flags instanceof PDFNumber && (flags.asNumber() & 1) === 1
}
