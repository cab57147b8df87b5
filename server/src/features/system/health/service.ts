import type { Ctx } from '../../../kernel/context.ts'
import { isDemo } from '../demo/service.ts'

/** Once the database answers: whether its data are invented. Its refusal is the caller's 503. */
export const checkHealth = async (ctx: Ctx) => ({ is_demonstration: await isDemo(ctx) })
