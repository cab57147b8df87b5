import { useCallback, useRef } from 'react'

/** Opens the device camera; the photo is passed to the upload with its category. */
export function useCamera(onUpload: (files: Iterable<File>, category: string) => void) {
  // Keeps a reference: browsers may garbage-collect a detached input before the photo is taken.
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
