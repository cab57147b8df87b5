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

/** Content of a PDF beyond its pages. */
export interface Active {
  /** Something runs when it is opened, clicked or printed. */
  programs: boolean
  /** Other files are embedded. */
  attachments: boolean
}

/** Actions that only move within the document, change what it shows, or open a URL when clicked. */
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
/**
 * Resources such as pictures and fonts may have any name, so a key counts only where it has its PDF meaning.
 */
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

/** Removes scripts, launch and form-submit actions, multimedia and attached files; returns what was found. */
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
/**
 * Additional actions (AA) run without a click, so every one counts, even a harmless kind such as a page turn.
 */
const leadsToAction = (value: PDFObject) => value instanceof PDFRef || kindOf(value) !== null

/** Visits every dictionary within one object, nested ones included. */
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

/** Deletes objects that nothing refers to any more: older versions of pages, and what was removed. */
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

/** Whether the document is signed. A signature covers the bytes of the file, so rewriting it breaks it. */
export function isSigned(pdf: PDFDocument) {
  const form = pdf.catalog.lookup(PDFName.of('AcroForm'))
  const flags = form instanceof PDFDict ? form.lookup(PDFName.of('SigFlags')) : undefined
  return flags instanceof PDFNumber && (flags.asNumber() & 1) === 1
}
