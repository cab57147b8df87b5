import {
  answersFilter,
  answersReport,
  receivableFilter,
  receivableReport,
} from '@garantia/shared/claims/reports'
import { endpoint } from '../../../http/rest.ts'
import { readAnswers, readReceivable } from './service.ts'

export const claimReportEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/claims/reports/receivable',
      summary: 'Soma o que está a receber, por idade, marca, empresa e situação',
      query: receivableFilter,
      reply: receivableReport,
    },
    (ctx, { query }) => readReceivable(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/claims/reports/answers',
      summary: 'Soma as respostas das marcas: aceitas na primeira vez, recusas e dias até responder e pagar',
      query: answersFilter,
      reply: answersReport,
    },
    (ctx, { query }) => readAnswers(ctx, query),
  ),
]
