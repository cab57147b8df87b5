import type { ClaimRow } from '@garantia/shared/claims/schema'

const reais = (value: number) => value.toFixed(2).replace('.', ',')

/**
 * A remittance of the brand and company of a demonstration that owe most claims: what is authorised, one payment that is
 * less, and a number that nobody knows. Null when no claim is awaited.
 */
export function sampleRemittance(claims: readonly ClaimRow[]) {
  const awaited = claims.filter(
    ({ brand_number, authorised, paid }) => brand_number && (authorised ?? 0) > paid,
  )
  const groups = new Map<string, ClaimRow[]>()
  for (const claim of awaited) {
    const owner = `${claim.company_id} ${claim.brand_id}`
    groups.set(owner, [...(groups.get(owner) ?? []), claim])
  }
  const [first, ...rest] = [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? []
  if (!first) return null
  const lines = [first, ...rest].map(({ brand_number, os_number, authorised, paid }, index) => {
    const due = (authorised ?? 0) - paid
    return [brand_number, os_number, reais(index === 1 ? due * 0.9 : due)]
  })
  const rows = [['SG', 'OS', 'Valor pago'], ...lines, ['G9999991', '999999', reais(480)]]
  return {
    company_id: first.company_id,
    brand_id: first.brand_id,
    name: `demonstrativo-${first.os_number}.csv`,
    csv: rows.map((row) => row.join(';')).join('\r\n'),
  }
}
