import { useEffect, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'

/** As many as a brand asks for at most, with a few taken again. */
const AT_ONCE = 30
const FEW = 8

/**
 * Gives the server's nonces for photos of an order, one for each; null while there is none, as without network: the
 * photo is then a file like others.
 */
export function useCaptureNonces(order_id: number) {
  const { mutateAsync: issue } = trpc.evidence.issueNonces.useMutation()
  const left = useRef<string[]>([])
  const isAsked = useRef(false)
  const fill = async () => {
    if (isAsked.current || left.current.length > FEW) return
    isAsked.current = true
    const issued = await issue({ order_id, count: AT_ONCE }).catch(() => null)
    isAsked.current = false
    left.current.push(...(issued?.nonces ?? []))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the first photo
  useEffect(() => void fill(), [])
  return () => {
    const nonce = left.current.shift() ?? null
    void fill()
    return nonce
  }
}
