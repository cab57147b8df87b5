import { useCallback, useRef } from 'react'

/** Opens the device's camera; what it takes goes to the upload with its category. */
export function useCamera(onUpload: (files: Iterable<File>, category: string) => void) {
  // Held here: a browser may forget an input that is in no page before its picture is taken.
  const camera = useRef<HTMLInputElement>(null)
  return useCallback(
    (category: string) => {
      const input = Object.assign(document.createElement('input'), {
        type: 'file',
        accept: 'image/*',
        capture: 'environment',
        onchange: () => onUpload([...(input.files ?? [])], category),
      })
      camera.current = input
      input.click()
    },
    [onUpload],
  )
}
