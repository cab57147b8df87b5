import { marksInput } from '@garantia/shared/evidence/marks'
import {
  batchStarted,
  conversionReport,
  conversionStarted,
  conversionState,
  evidenceDetail,
  forceFlag,
  rotationInput,
} from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { bulkAction, bulkResult } from '@garantia/shared/orders/bulk'
import { ifNoneMatch } from '../../../http/conditional-get.ts'
import { endpoint } from '../../../http/rest.ts'
import { evidenceVersions } from '../files/service.ts'
import {
  markPhoto,
  readConversionReport,
  readConversionState,
  requestAllConversions,
  requestConversion,
  rotatePhoto,
  runBulkAction,
} from './service.ts'

/** The id is that of a file in `convert` and `status`, of an order in `convert-all` and the report (D-18). */
const base = '/evidence-conversion/{id}'

export const conversionEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: `${base}/convert`,
      summary: 'Põe um arquivo na fila de conversão',
      errors: ['rule', 'forbidden', 'conflict'],
      params: byId,
      query: forceFlag,
      reply: conversionStarted,
    },
    (ctx, { params, query }) => requestConversion(ctx, params.id, query.force),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${base}/convert-all`,
      summary: 'Põe todos os arquivos da ordem na fila de conversão',
      errors: ['forbidden', 'conflict'],
      params: byId,
      query: forceFlag,
      reply: batchStarted,
    },
    (ctx, { params, query }) => requestAllConversions(ctx, params.id, query.force),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${base}/status`,
      summary: 'Mostra o andamento de uma conversão',
      params: byId,
      reply: conversionState,
    },
    (ctx, { params }) => readConversionState(ctx, params.id),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${base}/conversion-report`,
      summary: 'Mostra o andamento das conversões da ordem',
      hasEtag: true,
      params: byId,
      reply: conversionReport,
    },
    async (ctx, { params }, http) =>
      ifNoneMatch(http, (await evidenceVersions(ctx, params.id)).report, () =>
        readConversionReport(ctx, params.id),
      ),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/evidence/{id}/rotation',
      summary: 'Gira uma foto; o original fica como está e a cópia pronta é refeita',
      errors: ['rule', 'forbidden', 'conflict'],
      params: byId,
      action: 'evidence.change',
      body: rotationInput,
      example: { rotation: 90 },
      reply: evidenceDetail,
    },
    (ctx, { params, body }) => rotatePhoto(ctx, params.id, body.rotation),
  ),
  endpoint(
    {
      method: 'PUT',
      path: '/evidence/{id}/marks',
      summary:
        'Desenha setas, círculos, textos e partes encobertas na cópia de uma foto; sem marcas, volta a de antes',
      errors: ['rule', 'forbidden', 'conflict'],
      params: byId,
      action: 'evidence.change',
      body: marksInput,
      example: { marks: [{ kind: 'cover', box: { left: 0.4, top: 0.5, width: 0.2, height: 0.1 } }] },
      reply: evidenceDetail,
    },
    (ctx, { params, body }) => markPhoto(ctx, params.id, body),
  ),
]

/**
 * Actions on several orders; documented under orders, but defined here because one of them converts, and orders
 * may not import conversion.
 */
export const bulkEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/service-orders/bulk',
      summary: 'Muda o status ou o responsável, retoma, converte ou exclui várias ordens de uma vez',
      example: { action: 'status', ids: [1, 2], status: 'in_analysis', reason: 'Aguarda peças' },
      body: bulkAction,
      reply: bulkResult,
    },
    (ctx, { body }) => runBulkAction(ctx, { ...body, accepts_problems: body.accepts_problems ?? true }),
  ),
]
