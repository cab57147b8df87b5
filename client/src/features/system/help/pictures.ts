/** The addresses of the pictures of docs/ajuda, each in both themes: loaded by a page that shows one. */
const addresses = import.meta.glob<string>('../../../../../docs/ajuda/imagens/**/*.webp', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
})
const FOLDER = '../../../../../docs/ajuda/'

/** Where a picture is served that a page names as «imagens/lista.webp». */
export const addressOf = (named: string, theme: 'light' | 'dark') =>
  addresses[FOLDER + (theme === 'dark' ? named.replace('imagens/', 'imagens/escuro/') : named)]
