import { message } from '@garantia/shared/auth/schema'
import { byId, listOf } from '@garantia/shared/fields'
import { historyFilter, historyPage } from '@garantia/shared/orders/history'
import {
  orderChange,
  orderEdit,
  orderInput,
  orderView,
  statusChange,
  transitionView,
} from '@garantia/shared/orders/schema'
import { endpoint } from '../../http/rest.ts'
import {
  changeOrder,
  openOrder,
  readHistory,
  readOrder,
  readTransitions,
  removeOrder,
  setStatus,
} from './service.ts'

const at = '/service-orders/{id}'
/** Without a version the last write wins (D-49). */
const orderBody = orderChange.extend({ version: orderEdit.shape.version })

/**
 * Nobody can ask a REST client once more, and the specified calls know no `accepts_problems`: unless it
 * says false, problems are accepted and put on record (D-10).
 */
export const orderEndpoints = [
  endpoint({ method: 'POST', path: '/service-orders', body: orderInput, reply: orderView }, (ctx, { body }) =>
    openOrder(ctx, body),
  ),
  endpoint({ method: 'GET', path: at, params: byId, reply: orderView }, (ctx, { params }) =>
    readOrder(ctx, params.id),
  ),
  endpoint(
    { method: ['PUT', 'PATCH'], path: at, params: byId, body: orderBody, reply: orderView },
    (ctx, { params, body: { version, ...change } }) =>
      changeOrder(ctx, {
        ...params,
        version,
        change: { ...change, accepts_problems: change.accepts_problems ?? true },
      }),
  ),
  endpoint({ method: 'DELETE', path: at, params: byId, reply: message }, (ctx, { params }) =>
    removeOrder(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/status/{status}`,
      params: byId.extend({ status: statusChange.shape.status }),
      query: statusChange.omit({ status: true }),
      reply: orderView,
    },
    (ctx, { params: { id, status }, query }) =>
      setStatus(ctx, id, { status, ...query, accepts_problems: query.accepts_problems ?? true }),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${at}/history`,
      params: byId,
      query: historyFilter.omit({ id: true }),
      reply: historyPage,
    },
    (ctx, { params, query }) => readHistory(ctx, { ...params, ...query }),
  ),
  endpoint(
    { method: 'GET', path: `${at}/allowed-transitions`, params: byId, reply: listOf(transitionView) },
    (ctx, { params }) => readTransitions(ctx, params.id),
  ),
]
