import type { IncomingHttpHeaders } from 'node:http'
import { message } from '@garantia/shared/auth/schema'
import { invalid } from '@garantia/shared/errors'
import { byId, listOf } from '@garantia/shared/fields'
import { historyFilter, historyPage } from '@garantia/shared/orders/history'
import { idempotencyKey, KEY_HEADER, KEY_WRONG, keyInHeader } from '@garantia/shared/orders/opening'
import {
  orderChange,
  orderEdit,
  orderInput,
  orderView,
  statusChange,
  transitionView,
} from '@garantia/shared/orders/schema'
import { z } from 'zod'
import { endpoint } from '../../../http/rest.ts'
import {
  changeOrder,
  openOrder,
  readHistory,
  readTransitions,
  removeOrder,
  setStatus,
  viewOrder,
} from './service.ts'

const at = '/service-orders/{id}'
/** Without a version the last write wins (D-49). */
const orderBody = orderChange.extend({ version: orderEdit.shape.version })

function keyOf(headers: IncomingHttpHeaders) {
  const { data, error } = idempotencyKey.safeParse(keyInHeader(headers[KEY_HEADER.toLowerCase()]))
  if (error) throw invalid(KEY_WRONG, 'header', KEY_HEADER)
  return data
}

/**
 * A REST client cannot be asked for confirmation, and the specified calls have no `accepts_problems`: unless
 * it is false, problems are accepted and recorded (D-10).
 */
export const orderEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/service-orders',
      summary: 'Abre uma ordem de serviço',
      example: {
        os_number: '000123',
        brand_id: 1,
        company_id: 1,
        vehicle_plate: 'ABC1D23',
        service_value: 350.5,
      },
      errors: ['forbidden', 'conflict'],
      action: 'order.open',
      headers: z.object({
        [KEY_HEADER]: idempotencyKey.describe(
          'UUID desta abertura. Enviada de novo com a mesma chave em até 24 horas, responde com a OS já aberta.',
        ),
      }),
      body: orderInput,
      reply: orderView,
    },
    (ctx, { body }, { request }) => openOrder(ctx, body, keyOf(request.headers)),
  ),
  endpoint(
    {
      method: 'GET',
      path: at,
      summary: 'Mostra uma ordem de serviço',
      params: byId,
      reply: orderView,
    },
    (ctx, { params }) => viewOrder(ctx, params.id),
  ),
  endpoint(
    {
      method: ['PUT', 'PATCH'],
      path: at,
      summary: 'Muda uma ordem de serviço',
      example: { vehicle_color: 'Prata', service_value: 350.5, diagnosis: null },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'order.change',
      body: orderBody,
      reply: orderView,
    },
    (ctx, { params, body: { version, ...change } }) =>
      changeOrder(ctx, {
        ...params,
        version,
        change: { ...change, accepts_problems: change.accepts_problems ?? true },
      }),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: at,
      summary: 'Exclui uma ordem de serviço',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: message,
    },
    (ctx, { params }) => removeOrder(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${at}/status/{status}`,
      summary: 'Leva a ordem a outro status',
      errors: ['forbidden', 'conflict'],
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
      summary: 'Mostra o que aconteceu com a ordem, do mais novo ao mais antigo',
      params: byId,
      query: historyFilter.omit({ id: true }),
      reply: historyPage,
    },
    (ctx, { params, query }) => readHistory(ctx, { ...params, ...query }),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${at}/allowed-transitions`,
      summary: 'Diz a que status a ordem pode ser levada, e por que não aos outros',
      params: byId,
      reply: listOf(transitionView),
    },
    (ctx, { params }) => readTransitions(ctx, params.id),
  ),
]
