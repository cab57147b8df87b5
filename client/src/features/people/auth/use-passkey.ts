import type { PasskeyAnswer } from '@garantia/shared/auth/second-factor'
import { useState } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { givePasskey, passkeyProblem } from '../../../lib/passkeys.ts'
import { trpc } from '../../../lib/trpc.ts'

/** Asks server and browser for a passkey and hands on what the browser gave. */
export function usePasskey(onGiven: (answer: PasskeyAnswer['response']) => void) {
  const ask = trpc.passkeys.ask.useMutation()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const give = async () => {
    setIsBusy(true)
    setProblem(null)
    try {
      const options = await ask.mutateAsync().catch((error: unknown) => {
        setProblem(messageOf(error))
        return null
      })
      if (options) onGiven((await givePasskey(options)) as PasskeyAnswer['response'])
    } catch (error) {
      setProblem(passkeyProblem(error))
    } finally {
      setIsBusy(false)
    }
  }
  return { give: () => void give(), isBusy, problem }
}
