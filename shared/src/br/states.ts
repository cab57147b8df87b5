/** The 26 states and the Federal District, by the codes of IBGE. */
export const STATES = [
  ...(['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO'] as const),
  ...(['MA', 'MG', 'MS', 'MT', 'PA', 'PB', 'PE', 'PI', 'PR'] as const),
  ...(['RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'] as const),
] as const
export const isState = (text: string) => (STATES as readonly string[]).includes(text)
