/**
 * Reads search parameters as strings: the router's default parser would turn a searched CNPJ into a number
 * and «false» into a boolean, where screens expect text. Each screen's schema converts them.
 */
export const readSearchParams = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))
