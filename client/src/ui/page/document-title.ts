import { useEffect } from 'react'

const APP = 'Garantia'

let title = APP
let lead = ''
const show = () => {
  document.title = lead + title
}

/** Sets the document title to «text · Garantia» while mounted. */
export function useDocumentTitle(words: string) {
  useEffect(() => {
    title = `${words} · ${APP}`
    show()
    return () => {
      title = APP
      show()
    }
  }, [words])
}

/** Prefixes the document title of every screen while mounted. */
export function useTitlePrefix(words: string) {
  useEffect(() => {
    lead = words
    show()
    return () => {
      lead = ''
      show()
    }
  }, [words])
}
