import type { RuleProposals } from '@garantia/shared/claims/reports'
import type { Ctx } from '../../../kernel/context.ts'

export const proposeRules = async (_: Ctx): Promise<RuleProposals> => {
  throw new Error('not built')
}
