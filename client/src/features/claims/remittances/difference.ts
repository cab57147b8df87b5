import { DIFFERENCE } from '@garantia/shared/claims/reasons'
import { LINE_OUTCOME, type RemittanceLineView, type Resolution } from '@garantia/shared/claims/remittance'
import { integer } from '@garantia/shared/format'

export interface PendingResolution {
  line: RemittanceLineView
  resolution: Resolution
}
export const RESOLUTION_LABEL: Record<Resolution, string> = {
  booked: 'Lançar assim mesmo',
  written_off: 'Lançar e dar baixa do resto',
  ignored: 'Ignorar a linha',
}

/** In the order in which they are offered: what books nothing comes first. */
export const OFFERED = ['ignored', 'booked', 'written_off'] as const satisfies readonly Resolution[]

/** Why a line waits: what the comparison found. */
export const reasonOf = ({ difference, outcome }: RemittanceLineView) =>
  difference ? DIFFERENCE[difference] : LINE_OUTCOME[outcome]

/** The remittance that a line stands in: «Demonstrativo 2026-11, linha 4». */
export const sourceOf = ({ remittance, line }: RemittanceLineView) =>
  `${remittance ?? 'Demonstrativo digitado'}, linha ${integer(line)}`

/** What a line is called in the lists: the number the brand gave, or its order. */
export const nameOf = ({ line, brand_number, os_number }: RemittanceLineView) =>
  brand_number ?? (os_number === null ? `linha ${line}` : `OS ${os_number}`)

/** The dialog names the order beside the brand's number. */
export const titleOf = (line: RemittanceLineView) =>
  ['Divergência', line.claim ?? (line.os_number && `OS ${line.os_number}`), line.brand_number]
    .filter(Boolean)
    .join(' · ')
