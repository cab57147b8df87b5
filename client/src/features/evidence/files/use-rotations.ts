import type { EvidenceFile, Rotation } from '@garantia/shared/evidence/schema'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

/** Three quick turns become one request and one conversion. */
const DEBOUNCE_MS = 500

/** Rotates photos: at once on the screen, then on the server, which converts a finished copy again. */
export function useRotations(order_id: number) {
  const utils = trpc.useUtils()
  const { mutateAsync: rotatePhoto } = trpc.conversion.turn.useMutation()
  const wanted = useRef(new Map<number, Rotation>())
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>())
  const [turned, setTurned] = useState<ReadonlyMap<number, Rotation>>(new Map())

  const commit = useCallback(
    async (id: number) => {
      const rotation = wanted.current.get(id)
      timers.current.delete(id)
      if (rotation === undefined) return
      try {
        await rotatePhoto({ id, rotation })
      } catch (error) {
        toast.error({ title: 'Erro ao girar foto', description: messageOf(error) })
      }
      await Promise.all([
        utils.evidence.list.invalidate({ order_id }),
        utils.evidence.one.invalidate({ id }),
        utils.conversion.report.invalidate({ order_id }),
      ])
      if (wanted.current.get(id) !== rotation) return
      wanted.current.delete(id)
      setTurned(new Map(wanted.current))
    },
    [rotatePhoto, utils, order_id],
  )
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const [id, timer] of running) {
        clearTimeout(timer)
        void commit(id)
      }
    }
  }, [commit])

  const turn = useCallback(
    ({ id, rotation }: EvidenceFile, by: 90 | -90) => {
      const next = (((wanted.current.get(id) ?? rotation) + by + 360) % 360) as Rotation
      wanted.current.set(id, next)
      setTurned(new Map(wanted.current))
      clearTimeout(timers.current.get(id))
      timers.current.set(
        id,
        setTimeout(() => void commit(id), DEBOUNCE_MS),
      )
    },
    [commit],
  )
  return { turn, turned }
}

/** Until the server has applied a rotation, the original is shown, rotated by CSS. */
export const withPendingRotations = (
  files: readonly EvidenceFile[],
  turned: ReadonlyMap<number, Rotation>,
) =>
  turned.size === 0
    ? files
    : files.map((file) => {
        const rotation = turned.get(file.id)
        return rotation === undefined || rotation === file.rotation
          ? file
          : { ...file, rotation, converted_url: null }
      })
