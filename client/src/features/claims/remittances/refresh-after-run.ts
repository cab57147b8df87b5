import type { trpc } from '../../../lib/trpc.ts'

/** What a booked remittance changes on other screens: its place in the history, the differences, and the claims. */
export const refreshAfterRun = (utils: ReturnType<typeof trpc.useUtils>) =>
  Promise.all([
    utils.remittances.page.invalidate(),
    utils.remittances.differences.invalidate(),
    utils.claims.invalidate(),
    utils.claimList.invalidate(),
  ])
