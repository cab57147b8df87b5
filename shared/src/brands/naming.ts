import { calendarDay, unaccented } from '../format.ts'

/**
 * Variables of a brand's naming template. Values are reduced to [A-Za-z0-9._-], because portals refuse other
 * characters, and `seq2` is zero-padded, because 1..10 would sort wrongly.
 */
export const NAMING_TOKENS = [
  'os',
  'chassi',
  'chassi8',
  'chassi6',
  'placa',
  'categoria',
  'seq2',
  'data',
  'marca',
  'cnpj',
] as const
type Token = (typeof NAMING_TOKENS)[number]

export interface NamingFacts {
  os_number: string
  chassis: string | null
  plate: string | null
  category: string | null
  brand: string
  company_tax_id: string
  /** Capture or upload time of the file; its calendar day in São Paulo goes into the name. */
  at: Date
}

/** Accents are removed; other characters that a portal may refuse become hyphens. */
export const safeNamePart = (text: string) =>
  unaccented(text)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')

/**
 * «{os}_{categoria}_{seq2}» + facts + 1 + «jpg» → «123456_defeito_01.jpg». The part before the extension is
 * never empty and has at most 120 characters.
 */
export function packagedFileName(template: string, facts: NamingFacts, seq: number, ext: string) {
  const chassisEnd = (length: number) => facts.chassis?.slice(-length) ?? 'sem-chassi'
  const values: Record<Token, string> = {
    os: facts.os_number,
    chassi: chassisEnd(17),
    chassi8: chassisEnd(8),
    chassi6: chassisEnd(6),
    placa: facts.plate ?? 'sem-placa',
    categoria: facts.category ?? 'evidencia',
    seq2: String(seq).padStart(2, '0'),
    data: calendarDay(facts.at),
    marca: facts.brand,
    cnpj: facts.company_tax_id,
  }
  const filled = template.replace(/\{(\w+)\}/g, (whole, token: string) =>
    token in values ? safeNamePart(values[token as Token]) : whole,
  )
  const stem = safeNamePart(filled).slice(0, 120) || `evidencia_${values.seq2}`
  return `${stem}.${ext}`
}

/**
 * The first name of the sequence from `seq` on that is not in `taken`; upper and lower case are the same
 * name.
 */
export function uniqueFileName(
  template: string,
  facts: NamingFacts,
  seq: number,
  ext: string,
  taken: Iterable<string>,
) {
  const used = new Set([...taken].map((name) => name.toLowerCase()))
  const counts = template.includes('{seq2}')
  for (let n = seq; ; n++) {
    const name = packagedFileName(counts || n === seq ? template : `${template}-${n}`, facts, n, ext)
    if (!used.has(name.toLowerCase())) return name
  }
}

const TEMPLATE_MAX = 200
/**
 * Why a template is invalid, as a Portuguese message, or null. Characters that portals refuse are not
 * allowed.
 */
export function namingProblem(template: string): string | null {
  if (template.trim() === '') return 'Informe o modelo de nome'
  if (template.length > TEMPLATE_MAX) return `Máximo de ${TEMPLATE_MAX} caracteres`
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)]
    .map(([, token = '']) => token)
    .find((token) => !(NAMING_TOKENS as readonly string[]).includes(token))
  if (unknown !== undefined) return `Variável desconhecida: {${unknown}}`
  const around = template.replace(/\{\w+\}/g, '')
  if (/[{}]/.test(around)) return 'Chave sem par: escreva as variáveis como {os}'
  return /[^A-Za-z0-9._-]/.test(around)
    ? 'Fora das variáveis use apenas letras sem acento, números, ponto, hífen e sublinhado'
    : null
}

const EXAMPLE: NamingFacts = {
  os_number: '123456',
  chassis: '9BGXX00X00B123456',
  plate: 'ABC1D23',
  category: 'defeito',
  brand: 'Marca',
  company_tax_id: '11222333000181',
  at: new Date('2026-11-21T15:00:00Z'),
}
/** An example file name for the brand's card, computed so that it always matches the template. */
export const namingExample = (template: string, brand: string) =>
  packagedFileName(template, { ...EXAMPLE, brand }, 1, 'jpg')
