/**
 * A word in an address stays a word: the router's own reader makes a number of a CNPJ that is searched for
 * and a boolean of «false», and a screen that expects text then sees nothing. Each screen's schema decides.
 */
export const readSearchParams = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))
