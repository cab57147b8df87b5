import { readFile } from 'node:fs/promises'
import { FORMATS, type FormatName } from '@garantia/shared/evidence/formats'
import { strFromU8, type UnzipFileInfo, unzipSync } from 'fflate'
import { copied, NO_FACTS } from './copy.ts'
import { documentActive, documentDamaged, documentDoesNotFit } from './refusal.ts'
import type { Converted, Run, Source, Target } from './types.ts'

/** Bytes of an unpacked part that is read; real ones have a few kilobytes. */
const LARGEST_PART = 5_000_000

/** Programs of Office (ECMA-376, MS-OVBA) and of OpenDocument by the names of their parts. */
const PROGRAM = /(^|\/)(vbaProject[^/]*\.bin|vbaData\.xml)$|^(Basic|Scripts)\/.|(^|\/)activeX\/.*\.bin$/i
/** Parts that say what is inside, or what is loaded from elsewhere. */
const READ = /^\[Content_Types\]\.xml$|\.rels$|^META-INF\/manifest\.xml$/i
const SAYS_PROGRAM = /macroEnabled|vnd\.ms-office\.vbaProject|vnd\.sun\.star\.basic/i
const RELATIONSHIP = /<Relationship\b[^>]*>/gi
const LOADED = /\/(attachedTemplate|oleObject|frame|subDocument)"/i

/**
 * Copies a document unchanged. Throws CannotConvert when it is damaged, larger than `budget_bytes`, or has macros
 * or parts that are loaded from elsewhere when it is opened: it would run at the brand.
 */
export async function convertDocument(source: Source, target: Target, run: Run): Promise<Converted> {
  if (source.size > target.budget_bytes) throw documentDoesNotFit(source.size, target.budget_bytes)
  if (await isActive(source.path, source.format)) throw documentActive(FORMATS[source.format].ext)
  return copied(source, NO_FACTS, run)
}

async function isActive(path: string, format: FormatName) {
  const names: string[] = []
  const choose = ({ name, originalSize }: UnzipFileInfo) => {
    names.push(name)
    if (READ.test(name) && originalSize > LARGEST_PART) throw documentDamaged()
    return READ.test(name)
  }
  const parts = unzipped(await readFile(path), choose)
  if (!names.some((name) => MAIN[format]?.test(name))) throw documentDamaged()
  if (names.some((name) => PROGRAM.test(name))) return true
  return Object.values(parts).some((bytes) => {
    const text = strFromU8(bytes)
    return SAYS_PROGRAM.test(text) || (text.match(RELATIONSHIP) ?? []).some(loadsFromElsewhere)
  })
}

/** The part without which there is no document of that format. */
const MAIN: Partial<Record<FormatName, RegExp>> = {
  docx: /^\[Content_Types\]\.xml$/,
  xlsx: /^\[Content_Types\]\.xml$/,
  pptx: /^\[Content_Types\]\.xml$/,
  odt: /^META-INF\/manifest\.xml$/,
  ods: /^META-INF\/manifest\.xml$/,
}

const loadsFromElsewhere = (relationship: string) =>
  /TargetMode\s*=\s*"External"/i.test(relationship) && LOADED.test(relationship)

function unzipped(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean) {
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    throw documentDamaged(error)
  }
}
