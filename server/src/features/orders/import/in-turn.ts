import type { Ctx } from '../../../kernel/context.ts'
import { createFairQueue } from '../../../kernel/fair-queue.ts'
import { callerKeyOf } from '../../../kernel/passwords.ts'

/** Each holds a whole file, of which its rows may have 20 MB of text. */
const runInTurn = createFairQueue({ at_once: 2, most_waiting_per_caller: 20, most_waiting: 1_000 })

/** Runs work that holds a whole import in memory. 429 when twenty of the caller's wait already. */
export const inTurn = <Result>(ctx: Ctx, work: () => Promise<Result>) => runInTurn(callerKeyOf(ctx), work)
