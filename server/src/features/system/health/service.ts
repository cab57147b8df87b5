import { type ToolVersions, toolVersions } from '@garantia/shared/tools'
import type { Ctx } from '../../../kernel/context.ts'
import { isDemo } from '../demo/service.ts'

/** Whether the data are invented. Queries the database, and so fails (503) when it is down. */
export const checkHealth = async (ctx: Ctx) => ({ is_demonstration: await isDemo(ctx) })

/** The versions that the running workers decode with, each combination once; empty until one has said them. */
export async function toolsInUse(ctx: Ctx): Promise<ToolVersions[]> {
  const rows = await ctx.db
    .selectFrom('worker_processes')
    .where('tools', 'is not', null)
    .select('tools')
    .distinct()
    .execute()
  return rows.map(({ tools }) => toolVersions.parse(tools))
}
