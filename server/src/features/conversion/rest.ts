import {
  batchStarted,
  conversionReport,
  conversionStarted,
  conversionState,
  forceFlag,
} from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../http/rest.ts'
import { readConversionReport, readConversionState, requestAll, requestConversion } from './service.ts'

const at = '/evidence-conversion/{id}'

export const conversionEndpoints = [
  endpoint(
    { method: 'POST', path: `${at}/convert`, params: byId, query: forceFlag, reply: conversionStarted },
    (ctx, { params, query }) => requestConversion(ctx, params.id, query.force),
  ),
  endpoint(
    { method: 'POST', path: `${at}/convert-all`, params: byId, query: forceFlag, reply: batchStarted },
    (ctx, { params, query }) => requestAll(ctx, params.id, query.force),
  ),
  endpoint({ method: 'GET', path: `${at}/status`, params: byId, reply: conversionState }, (ctx, { params }) =>
    readConversionState(ctx, params.id),
  ),
  endpoint(
    { method: 'GET', path: `${at}/conversion-report`, params: byId, reply: conversionReport },
    (ctx, { params }) => readConversionReport(ctx, params.id),
  ),
]
