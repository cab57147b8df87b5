import type { RemittanceView } from '@garantia/shared/claims/remittance'
import { brl } from '@garantia/shared/format'

/** «R$ 150,00 lançados de R$ 210,50»; after it was undone the amount of the file alone. */
export const bookedText = ({ booked, total, undone_at }: RemittanceView) =>
  undone_at ? brl(total) : `${brl(booked)} lançados de ${brl(total)}`
