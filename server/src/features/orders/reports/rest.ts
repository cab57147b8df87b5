import { monthlyReport, reportPeriod } from '@garantia/shared/orders/report'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { originOf } from '../../../http/session.ts'
import { EXPORT_MIME } from '../list/service.ts'
import { exportMonthlyReport, readMonthlyReport } from './service.ts'

export const reportEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/reports/monthly',
      summary:
        'Conta OS abertas, concluídas e prontas e conversões recusadas, por mês, marca, empresa e pessoa',
      query: reportPeriod,
      reply: monthlyReport,
    },
    (ctx, { query }) => readMonthlyReport(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/service-orders/reports/monthly/export',
      summary: 'O mesmo relatório como planilha XLSX',
      media: [EXPORT_MIME.xlsx],
      errors: ['too_many'],
      query: reportPeriod,
    },
    async (ctx, { query }, http) => {
      const { body, ...file } = await exportMonthlyReport(ctx, query, originOf(http.request))
      return sendStream(http, body, file)
    },
  ),
]
