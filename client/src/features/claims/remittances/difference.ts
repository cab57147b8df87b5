import type { RemittanceLineView, Resolution } from '@garantia/shared/claims/remittance'

export interface PendingResolution {
  line: RemittanceLineView
  resolution: Resolution
}
export const RESOLUTION_LABEL: Record<Resolution, string> = {
  booked: 'Lançar assim mesmo',
  written_off: 'Lançar e dar baixa do resto',
  ignored: 'Ignorar a linha',
}

/** What a line is called in the lists: the number the brand gave, or its order. */
export const nameOf = ({ line, brand_number, os_number }: RemittanceLineView) =>
  brand_number ?? (os_number === null ? `linha ${line}` : `OS ${os_number}`)

/** The dialog names the order beside the brand's number. */
export const titleOf = (line: RemittanceLineView) =>
  ['Divergência', line.claim ?? (line.os_number && `OS ${line.os_number}`), line.brand_number]
    .filter(Boolean)
    .join(' · ')
