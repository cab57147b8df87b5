import type { Ctx } from '../../../kernel/context.ts'
import { isDemo } from '../demo/service.ts'

/** Whether the data are invented. Queries the database, and so fails (503) when it is down. */
export const checkHealth = async (ctx: Ctx) => ({ is_demonstration: await isDemo(ctx) })
