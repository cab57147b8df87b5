import { useEffect, useRef } from 'react'
import { fillNonces, forgetNonce } from './capture-nonces.ts'

/** With so few left in this page the device is asked for more, and the server if need be. */
const FEW = 8

/** Gives a nonce for each photo of an order; null while there is none: the photo is then a file like others. */
export function useCaptureNonces(order_id: number) {
  const left = useRef<string[]>([])
  const used = useRef(new Set<string>())
  const isAsked = useRef(false)
  const fill = async () => {
    if (isAsked.current || left.current.length > FEW) return
    isAsked.current = true
    const nonces = await fillNonces(order_id)
    isAsked.current = false
    left.current = [...new Set([...left.current, ...nonces])].filter((nonce) => !used.current.has(nonce))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the first photo
  useEffect(() => void fill(), [])
  return () => {
    const nonce = left.current.shift() ?? null
    if (nonce !== null) {
      used.current.add(nonce)
      forgetNonce(nonce)
    }
    void fill()
    return nonce
  }
}
