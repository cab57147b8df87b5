/** «Abertas há 20 a 29 dias»; 0 is no limit. */
export function daysText(min: number, max: number) {
  if (max === 0) return `Abertas há ${min}+ dias`
  return min === 0 ? `Abertas há até ${max} dias` : `Abertas há ${min} a ${max} dias`
}
