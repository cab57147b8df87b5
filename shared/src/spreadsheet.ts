/** «Nº da O.S.» → «n da o s»: without accents, case, and what is neither letter nor digit. */
export const plainHeading = (heading: string) =>
  heading
    .normalize('NFD')
    .replace(/[\p{M}ºª°]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
/** «o s» is how «O.S.» reads without its points. */
const joined = (heading: string) => plainHeading(heading).replace(/\bo s\b/g, 'os')

/** The columns, from 0, proposed for fields by the headings that name them; each column is used once. */
export function proposeColumns<Field extends string>(
  headings: readonly string[],
  names: Record<Field, readonly string[]>,
): Partial<Record<Field, number>> {
  const columns = headings.map(joined)
  const mapping: Partial<Record<Field, number>> = {}
  for (const field of Object.keys(names) as Field[]) {
    const found = names[field]
      .map((name) => columns.indexOf(plainHeading(name)))
      .find((column) => column >= 0)
    if (found !== undefined && !Object.values(mapping).includes(found)) mapping[field] = found
  }
  return mapping
}

/** A cell as a value, or what is wrong with it. */
export type CellValue<Value = unknown> = { value: Value } | { problem: string }

const MONEY_PROBLEM = 'Deve ser um valor em reais, como 1.234,56'
/** «R$ 1.234,56», «1234,56», «1.234» (thousands) or «1234.5», as systems that write decimal points do. */
export function readMoney(text: string): CellValue<number> {
  const bare = text.replace(/^R\$\s*/i, '').replace(/\s/g, '')
  if (/^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/.test(bare))
    return { value: Number(bare.replaceAll('.', '').replace(',', '.')) }
  return /^-?\d+\.\d+$/.test(bare) ? { value: Number(bare) } : { problem: MONEY_PROBLEM }
}

/** Spreadsheets drop the zeros at the beginning of a number. */
export const padded = (text: string, ...lengths: number[]) => {
  if (!/^\d+$/.test(text)) return text
  return text.padStart(lengths.find((length) => text.length <= length) ?? 0, '0')
}
