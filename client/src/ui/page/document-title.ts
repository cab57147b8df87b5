import { useEffect } from 'react'

const APP = 'Garantia'

let title = APP
let prefix = ''
const show = () => {
  document.title = prefix + title
}

/** Sets the document title to «text · Garantia» while mounted. */
export function useDocumentTitle(text: string) {
  useEffect(() => {
    title = `${text} · ${APP}`
    show()
    return () => {
      title = APP
      show()
    }
  }, [text])
}

/** Prefixes the document title of every screen while mounted. */
export function useTitlePrefix(text: string) {
  useEffect(() => {
    prefix = text
    show()
    return () => {
      prefix = ''
      show()
    }
  }, [text])
}
