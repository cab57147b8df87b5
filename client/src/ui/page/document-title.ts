import { useEffect } from 'react'

const APP = 'Garantia'

let title = APP
let lead = ''
const show = () => {
  document.title = lead + title
}

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

/** Stands before the title of whatever screen is shown, as long as it lasts. */
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
