import type { PasskeyAnswer } from '@garantia/shared/auth/second-factor'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { givePasskey, passkeyProblem } from '../../../lib/passkeys.ts'
import { trpc } from '../../../lib/trpc.ts'
import { usePress } from '../../../ui/press.ts'

/** Asks server and browser for a passkey and hands on what the browser gave; busy until that has ended too. */
export function usePasskey(onGiven: (answer: PasskeyAnswer['response']) => Promise<unknown>) {
  const ask = trpc.passkeys.ask.useMutation()
  const [problem, setProblem] = useState<string | null>(null)
  const refused = (reason: string | null) => {
    setProblem(reason)
    return null
  }
  const { press, isBusy } = usePress(async () => {
    setProblem(null)
    const options = await ask.mutateAsync().catch((error: unknown) => refused(messageOf(error)))
    if (!options) return
    const response = await givePasskey(options).catch((error: unknown) => refused(passkeyProblem(error)))
    if (response) await onGiven(response as PasskeyAnswer['response'])
  })
  return { give: () => press(), isBusy, problem }
}
