import type { AppRouter } from '@garantia/server/router'
import { CONFIRM_NEEDED } from '@garantia/shared/auth/second-factor'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { detailOf } from './messages.ts'

type Ask = () => Promise<boolean>

let ask: Ask = async () => false
/** Registers the one dialog that asks people to prove who they are; it resolves to whether they did. */
export const onConfirmationNeeded = (dialog: Ask) => {
  ask = dialog
}

let asking: Promise<boolean> | undefined
/** Calls that are refused together ask once. */
const askOnce = () =>
  (asking ??= ask().finally(() => {
    asking = undefined
  }))

/**
 * Asks for the password when a call over REST needs it, then makes the call again; refused as before when it is not
 * given.
 */
export async function confirmed<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (detailOf(error) !== CONFIRM_NEEDED || !(await askOnce())) throw error
    return call()
  }
}

/** The same for every call over tRPC. */
export const confirmationLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let call = next(op).subscribe({
        ...observer,
        error(error) {
          if (detailOf(error) !== CONFIRM_NEEDED) return observer.error(error)
          void askOnce().then((isConfirmed) => {
            if (isConfirmed) call = next(op).subscribe(observer)
            else observer.error(error)
          })
        },
      })
      return () => call.unsubscribe()
    })
