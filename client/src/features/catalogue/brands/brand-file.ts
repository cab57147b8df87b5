import { brandFile, brandFileOf, placeInFile } from '@garantia/shared/brands/file'
import type { BrandView } from '@garantia/shared/brands/schema'
import { saveBlob } from '../../../lib/files.ts'

/** Saves the rules of the brands as a file of this browser. */
export function saveBrandFile(brands: readonly BrandView[]) {
  const [only] = brands
  const name = brands.length === 1 && only ? `regras-${only.slug}.json` : 'regras-de-marcas.json'
  const json = `${JSON.stringify(brandFileOf(brands), null, 2)}\n`
  saveBlob(new Blob([json], { type: 'application/json' }), name)
}

/** The rules in the text of a file, or why it is refused, with the places. */
export function readBrandFile(text: string) {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { problems: ['O arquivo não é um JSON válido.'] }
  }
  const { data, error } = brandFile.safeParse(json)
  return error
    ? { problems: error.issues.map(({ path, message }) => `${placeInFile(path, json)}: ${message}`) }
    : { file: data }
}
