import { TRPCClientError } from '@trpc/client'
import { createContext, type FormEvent, use, useCallback, useEffect, useRef, useState } from 'react'
import { isServerAway, saveOnReturn } from '../lib/connection.ts'
import { ApiError, statusOf } from '../lib/messages.ts'
import { storedToken } from '../lib/session.ts'

/**
 * A dialog as what is in it knows it. `current` is false while it fades out, when its buttons can still be pressed; a
 * ref, since what fades out is not rendered again. `whenClosing` calls back as soon as it begins to; returns the end of it.
 */
export const IsDialogOpen = createContext<{
  readonly current: boolean
  whenClosing(act: () => void): () => void
}>({ current: true, whenClosing: () => () => undefined })

/**
 * A button or a form that changes something: a press is ignored until the promise of the last one has
 * settled and what followed from it is on the screen, and in a dialog that is closing. A mutation is rendered
 * as pending only some time after its start, so its state alone lets a second press through. A press that began or
 * ended the session is the last one: its screen is being left.
 */
export function usePress<Args extends unknown[]>(
  act: (...args: Args) => unknown,
  isOpen = true,
  onAway?: () => void,
) {
  const isDialogOpen = use(IsDialogOpen)
  const isOwnOpen = useRef(isOpen)
  isOwnOpen.current = isOpen
  const isTaken = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [ended, setEnded] = useState(0)
  // With the same rendering as the state that the mutation's callbacks have set, such as a closed dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each press that has ended
  useEffect(() => {
    isTaken.current = false
  }, [ended])
  const press = async (...args: Args) => {
    if (isTaken.current || !isDialogOpen.current || !isOwnOpen.current) return
    isTaken.current = true
    let isReleased = false
    const session = storedToken()
    setIsBusy(true)
    try {
      await act(...args)
    } catch (error) {
      // The mutation's own callbacks have reported it.
      if (!(error instanceof TRPCClientError || error instanceof ApiError)) throw error
      if (statusOf(error) === undefined && isServerAway() && onAway) {
        // It is sent again without a press, perhaps at once.
        isTaken.current = false
        isReleased = true
        onAway()
      }
    } finally {
      setIsBusy(false)
      if (!isReleased && storedToken() === session) setEnded((count) => count + 1)
    }
  }
  return { press: (...args: Args) => void press(...args), isBusy }
}

/** A press as the `onSubmit` of a form. */
export const submitting = (press: () => void) => (event: FormEvent) => {
  event.preventDefault()
  press()
}

/**
 * `usePress` for a form. When the server is away the form stays as it is, and is sent again when it is back, with
 * what is typed in it by then.
 */
export function useSave(save: () => unknown) {
  const giveUp = useRef(() => {})
  const saving = usePress(save, true, () => {
    giveUp.current = saveOnReturn(() => latest.current())
  })
  const latest = useRef(saving.press)
  latest.current = saving.press
  useEffect(() => () => giveUp.current(), [])
  const press = () => {
    giveUp.current()
    saving.press()
  }
  return { press, isBusy: saving.isBusy }
}

/** For many rows with one hook: runs a call unless one with the same name is still running. */
export function useSingleFlight() {
  const running = useRef(new Set<string>())
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const once = useCallback(async (call: string, work: () => Promise<void>) => {
    if (running.current.has(call)) return
    const publishBusy = () => setBusy(new Set(running.current))
    running.current.add(call)
    publishBusy()
    try {
      await work()
    } finally {
      running.current.delete(call)
      publishBusy()
    }
  }, [])
  return { busy, once }
}
