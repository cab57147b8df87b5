import type {
  AnswersFilter,
  AnswersReport,
  ReceivableFilter,
  ReceivableReport,
} from '@garantia/shared/claims/reports'
import type { Ctx } from '../../../kernel/context.ts'

const missing = (): never => {
  throw new Error('not built')
}
export const readReceivable = async (_: Ctx, __: ReceivableFilter): Promise<ReceivableReport> => missing()
export const readAnswers = async (_: Ctx, __: AnswersFilter): Promise<AnswersReport> => missing()
