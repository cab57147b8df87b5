import { ruleProposals } from '@garantia/shared/claims/reports'
import { endpoint } from '../../../http/rest.ts'
import { proposeRules } from './service.ts'

export const reasonEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/claims/reports/proposals',
      summary: 'Propõe exigências às regras das marcas, a partir das recusas de 30 dias',
      reply: ruleProposals,
    },
    (ctx) => proposeRules(ctx),
  ),
]
