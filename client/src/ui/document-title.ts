import { useEffect } from 'react'

const APP = 'Garantia'

export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${APP}`
    return () => {
      document.title = APP
    }
  }, [title])
}
