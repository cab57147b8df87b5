/**
 * Text of a CSV cell that no spreadsheet reads as a formula: Excel also takes the full-width forms of `=`, `+`, `-` and
 * `@` for one. The ASCII forms are left to the writer (hucre, escapeFormulae).
 */
export const escapeWideFormula = (text: string) => (/^[＝＋－＠]/.test(text) ? `'${text}` : text)
