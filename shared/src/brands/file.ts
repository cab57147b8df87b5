import { z } from 'zod'
import { brandClaimRules } from '../claims/brand-rules.ts'
import { type BrandView, brandChange, brandCode, NEW_BRAND_RULES } from './schema.ts'

const FORMAT = 'garantia-marcas'
const VERSION = 1
const MOST_BRANDS = 500

const NOT_OURS = `Não é um arquivo de regras de marcas («format» deve ser «${FORMAT}»)`

/** Whether a brand is switched on is not part of the file: switching it off has a confirmation of its own. */
const rules = brandChange
  .omit({ is_active: true })
  .required()
  // Files written before claims existed have none of these, and change none.
  .extend(z.object(brandClaimRules).partial().shape)
const brandInFile = z.strictObject(
  { code: brandCode, ...rules.shape },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `Campo desconhecido: ${issue.keys?.join(', ')}` : undefined,
  },
)
export type BrandInFile = z.output<typeof brandInFile>

/**
 * Rules of brands as a file: to carry them to another installation, or to change many at once. Brands are
 * matched by their code. Every field but those of claims is required, so that a file says all it will change.
 */
export const brandFile = z.object(
  {
    format: z.literal(FORMAT, NOT_OURS),
    version: z.literal(VERSION, `Versão desconhecida: esta instalação lê a versão ${VERSION}`),
    brands: z
      .array(brandInFile, 'Deve ser uma lista de marcas')
      .min(1, 'O arquivo não tem marcas')
      .max(MOST_BRANDS, `No máximo ${MOST_BRANDS} marcas`)
      .superRefine((brands, context) => {
        const seen = new Set<string>()
        for (const [index, { code }] of brands.entries()) {
          if (seen.has(code))
            context.addIssue({ code: 'custom', path: [index, 'code'], message: 'Código repetido no arquivo' })
          seen.add(code)
        }
      }),
  },
  NOT_OURS,
)
export type BrandFile = z.output<typeof brandFile>

const FIELDS = [...Object.keys(NEW_BRAND_RULES), 'display_name', 'is_sample'] as const
/** The file with the rules of these brands. */
export const brandFileOf = (brands: readonly BrandView[]): BrandFile => ({
  format: FORMAT,
  version: VERSION,
  brands: brands.map(({ slug, ...brand }) => ({
    code: slug,
    ...(Object.fromEntries(FIELDS.map((field) => [field, brand[field as keyof typeof brand]])) as z.output<
      typeof rules
    >),
  })),
})

/** «marca 3 (kia), naming_template» for the path of an issue in a file. */
export function placeInFile(path: readonly PropertyKey[], file: unknown) {
  const [list, index, ...rest] = path
  if (list !== 'brands' || typeof index !== 'number') return path.map(String).join('.') || 'arquivo'
  const { brands } = file as { brands: readonly unknown[] }
  const { code } = (brands[index] ?? {}) as { code?: unknown }
  const brand = `marca ${index + 1}${typeof code === 'string' ? ` (${code})` : ''}`
  return rest.length > 0 ? `${brand}, ${rest.map(String).join('.')}` : brand
}

/** With `dry_run` the answer says what would change, and nothing does. */
export const brandImport = z.object({
  dry_run: z.boolean('Use true ou false'),
  file: brandFile,
  /** By code, as the dry run has answered: 409 when a brand has been changed since. Without it the last write wins. */
  versions: z.record(z.string(), z.number().int().nullable()).optional(),
})
export type BrandImport = z.output<typeof brandImport>

export const BRAND_OUTCOMES = ['created', 'changed', 'same'] as const
export const brandImportResult = z.object({
  dry_run: z.boolean(),
  /** One line per brand of the file, in its order. */
  lines: z.array(
    z.object({
      code: z.string(),
      display_name: z.string(),
      outcome: z.enum(BRAND_OUTCOMES),
      /** The version that the changes are based on; null for a new brand. */
      version: z.number().int().nullable(),
      /** Per field the value before and after; for a new brand only the value after. */
      changes: z.record(z.string(), z.unknown()),
    }),
  ),
})
export type BrandImportResult = z.output<typeof brandImportResult>
