import {
  differenceFilter,
  differencePage,
  differenceResolution,
  remittanceBooking,
  remittanceColumns,
  remittanceFilter,
  remittanceInput,
  remittanceLineView,
  remittanceOwner,
  remittancePage,
  remittanceReason,
  remittanceReport,
  remittanceView,
} from '@garantia/shared/claims/remittance'
import { byId } from '@garantia/shared/fields'
import { contentLength, uploadParts } from '../../../http/multipart.ts'
import { endpoint } from '../../../http/rest.ts'
import {
  checkRemittance,
  listDifferences,
  listRemittances,
  readRemittance,
  receiveRemittance,
  resolveDifference,
  runRemittance,
  typeRemittance,
  undoRemittance,
} from './service.ts'

const mapping = { brand_number: 0, os_number: 1, amount: 2 }

export const remittanceEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/remittances',
      summary: 'Lista demonstrativos de pagamento, os mais novos primeiro',
      errors: ['forbidden'],
      action: 'remittance.list',
      query: remittanceFilter,
      reply: remittancePage,
    },
    (ctx, { query }) => listRemittances(ctx, query),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances',
      summary: 'Recebe um demonstrativo de pagamento em CSV ou XLSX',
      errors: ['forbidden', 'not_found', 'too_many', 'storage_full'],
      action: 'remittance.import',
      query: remittanceOwner,
      files: 'one',
      reply: remittanceView,
      status: 201,
    },
    (ctx, { query }, { request }) =>
      receiveRemittance(ctx, query, uploadParts(request), contentLength(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances/typed',
      summary: 'Registra um demonstrativo digitado e lança o que confere',
      errors: ['forbidden', 'not_found'],
      example: {
        company_id: 1,
        brand_id: 1,
        number: '2026-11',
        paid_on: '2026-11-20',
        lines: [{ brand_number: 'SG123', amount: 250.4 }],
      },
      action: 'remittance.import',
      body: remittanceInput,
      reply: remittanceView,
    },
    (ctx, { body }) => typeRemittance(ctx, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/remittances/differences',
      summary: 'Lista as linhas que esperam uma decisão',
      errors: ['forbidden'],
      action: 'remittance.list',
      query: differenceFilter,
      reply: differencePage,
    },
    (ctx, { query }) => listDifferences(ctx, query),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances/differences/{id}/resolve',
      summary: 'Resolve uma diferença: lança, lança e dá baixa do resto, ou ignora',
      errors: ['forbidden', 'conflict'],
      example: { resolution: 'booked', note: 'Pago a menos, marca avisada' },
      params: byId,
      action: 'remittance.import',
      body: differenceResolution,
      reply: remittanceLineView,
    },
    (ctx, { params, body }) => resolveDifference(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/remittances/{id}',
      summary: 'Mostra um demonstrativo de pagamento',
      errors: ['forbidden'],
      action: 'remittance.read',
      params: byId,
      reply: remittanceView,
    },
    (ctx, { params }) => readRemittance(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances/{id}/check',
      summary: 'Simula a importação de um demonstrativo, linha por linha, sem lançar nada',
      errors: ['forbidden', 'conflict'],
      example: { mapping },
      params: byId,
      action: 'remittance.import',
      body: remittanceColumns,
      reply: remittanceReport,
    },
    (ctx, { params, body }) => checkRemittance(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances/{id}/run',
      summary: 'Lança o que confere de um demonstrativo; as diferenças ficam na fila',
      errors: ['forbidden', 'conflict'],
      example: { mapping, number: '2026-11', paid_on: '2026-11-20' },
      params: byId,
      action: 'remittance.import',
      body: remittanceBooking,
      reply: remittanceView,
    },
    (ctx, { params, body }) => runRemittance(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/remittances/{id}/undo',
      summary: 'Desfaz um demonstrativo, com lançamentos de valor contrário',
      errors: ['forbidden', 'conflict'],
      example: { reason: 'Arquivo do mês errado' },
      params: byId,
      action: 'remittance.import',
      body: remittanceReason,
      reply: remittanceView,
    },
    (ctx, { params, body }) => undoRemittance(ctx, params.id, body),
  ),
]
