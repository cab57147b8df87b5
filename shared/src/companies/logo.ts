import type { FormatName } from '../evidence/formats.ts'
import { bytes, integer, MEGABYTE } from '../format.ts'

/** Formats that every browser shows and that dossiers can contain. */
export const LOGO_FORMATS = ['jpeg', 'png', 'webp'] as const
export type LogoFormat = (typeof LOGO_FORMATS)[number]

/** Bytes of the file, and px of its sides: a smaller one would be blurred on paper. */
export const LOGO_LIMITS = { bytes: MEGABYTE, shortest_side: 48, longest_side: 4_000 }

export const LOGO_HELP = `JPEG, PNG ou WebP de até ${bytes(LOGO_LIMITS.bytes)}. Aparece no dossiê e nas folhas impressas.`

export const isLogoFormat = (format: FormatName): format is LogoFormat =>
  (LOGO_FORMATS as readonly FormatName[]).includes(format)

/** Portuguese message when a picture's sides are too short or too long for a logo, else null. */
export function logoSizeProblem({ width, height }: { width: number | null; height: number | null }) {
  const sides = [width ?? 0, height ?? 0]
  const { shortest_side, longest_side } = LOGO_LIMITS
  if (Math.min(...sides) >= shortest_side && Math.max(...sides) <= longest_side) return null
  return `O logotipo tem ${sides.map(integer).join(' × ')} px; cada lado precisa ter de ${shortest_side} a ${integer(longest_side)} px.`
}
