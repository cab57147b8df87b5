/** Service plus parts in R$, added in cents: 1234.35 + 0.1 is 1234.4499… in floating point (D-12). */
export const totalOf = (service_value: number | null | undefined, parts_value: number | null | undefined) =>
  (cents(service_value) + cents(parts_value)) / 100

const cents = (value: number | null | undefined) => Math.round((value ?? 0) * 100)
