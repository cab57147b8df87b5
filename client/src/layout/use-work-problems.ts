import type { AppRouter } from '@garantia/server/router'
import { can } from '@garantia/shared/policy'
import type { inferRouterOutputs } from '@trpc/server'
import { startTransition, useEffect, useState } from 'react'
import { useActor } from '../lib/actor.ts'
import { isSignedIn } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'

type Problem = inferRouterOutputs<AppRouter>['installation']['problems'][number]
/** A problem that the screen shows, by the text it came with; `isOver` once it is mended. */
export interface ShownProblem {
  id: string
  text: string
  isOver: boolean
}

const AGAIN_MS = 30_000
/** So long without key and pointer nobody is about to press what moves. */
const STILL_MS = 10_000
const TOUCHES = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

const kindsOf = (problems: readonly Problem[]) => problems.map(({ kind }) => kind).join()

/** What is shown, in the words of now: minutes and bytes change. Of two of one kind each has its own text. */
const compared = (shown: readonly Problem[], now: readonly Problem[]) =>
  shown.map(({ kind, text }): ShownProblem => {
    const ofKind = now.filter((one) => one.kind === kind)
    const isOnly = shown.filter((one) => one.kind === kind).length === 1
    const same = ofKind.find((one) => one.text === text) ?? (isOnly ? ofKind[0] : undefined)
    return { id: text, text: same?.text ?? text, isOver: same === undefined }
  })

/**
 * What is wrong with workers, queue and disk, for administrators. What comes and goes moves the screen, so it does with
 * the next screen, or when nobody has touched key or pointer for ten seconds. `isAsked` before the first answer.
 */
export function useWorkProblems(path: string | undefined) {
  const isAdministrator = can(useActor(), 'quota.read')
  const { data, isPending, failureCount } = trpc.installation.problems.useQuery(undefined, {
    enabled: isSignedIn(),
    refetchInterval: isAdministrator && AGAIN_MS,
  })
  const [shown, setShown] = useState<{ path: string | undefined; problems: Problem[] }>()
  if (data && (!shown || shown.path !== path)) setShown({ path, problems: data })

  const isBehind = data && shown && kindsOf(data) !== kindsOf(shown.problems)
  useEffect(() => {
    if (!isBehind) return
    const change = () => startTransition(() => setShown({ path, problems: data }))
    let timer = setTimeout(change, STILL_MS)
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(change, STILL_MS)
    }
    for (const name of TOUCHES) window.addEventListener(name, wait, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const name of TOUCHES) window.removeEventListener(name, wait, { capture: true })
    }
  }, [isBehind, path, data])

  return { problems: compared(shown?.problems ?? [], data ?? []), isAsked: isPending && failureCount === 0 }
}
