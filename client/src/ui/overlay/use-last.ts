import { useRef } from 'react'

/** Keeps the last content while a dialog fades out. */
export function useLast<Value>(value: Value | null) {
  const last = useRef(value)
  if (value !== null) last.current = value
  return value ?? last.current
}
