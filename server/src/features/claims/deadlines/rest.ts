import { Readable } from 'node:stream'
import {
  calendarToken,
  deadlineCounts,
  deadlineFilter,
  deadlinePage,
} from '@garantia/shared/claims/deadlines'
import {
  defectLink,
  defectRefusal,
  legalClockView,
  visitDates,
  visitFact,
} from '@garantia/shared/claims/visits'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import {
  addFact,
  calendarOf,
  changeVisit,
  countDeadlines,
  linkVisits,
  listDeadlines,
  readLegalClock,
  refuseVisit,
  unlinkVisit,
} from './service.ts'

const ofOrder = '/service-orders/{id}/legal-clock'
const onVisit = { params: byId, action: 'visit.change', reply: legalClockView } as const

export const deadlineEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/deadlines',
      summary: 'Lista os prazos, os vencidos primeiro',
      query: deadlineFilter,
      reply: deadlinePage,
    },
    (ctx, { query }) => listDeadlines(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/deadlines/counts',
      summary: 'Conta os prazos vencidos e os da próxima semana',
      reply: deadlineCounts,
    },
    (ctx) => countDeadlines(ctx),
  ),
  endpoint(
    {
      method: 'GET',
      path: ofOrder,
      summary: 'Mostra o prazo legal do reparo, com todas as visitas do mesmo defeito',
      params: byId,
      reply: legalClockView,
    },
    (ctx, { params }) => readLegalClock(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${ofOrder}/link`,
      summary: 'Liga a OS a outra do mesmo veículo, como visitas pelo mesmo defeito',
      example: { with_order_id: 1, title: 'Luz do ABS acesa' },
      errors: ['forbidden', 'conflict'],
      ...onVisit,
      body: defectLink.omit({ order_id: true }),
    },
    (ctx, { params, body }) => linkVisits(ctx, { order_id: params.id, ...body }),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${ofOrder}/unlink`,
      summary: 'Separa a OS das outras visitas',
      errors: ['forbidden', 'conflict'],
      ...onVisit,
    },
    (ctx, { params }) => unlinkVisit(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${ofOrder}/refuse`,
      summary: 'Recusa uma visita proposta, que é por outro defeito',
      example: { with_order_id: 1 },
      errors: ['forbidden', 'conflict'],
      ...onVisit,
      body: defectRefusal.omit({ order_id: true }),
    },
    (ctx, { params, body }) => refuseVisit(ctx, { order_id: params.id, ...body }),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: ofOrder,
      summary: 'Muda quando o veículo chegou e quando foi efetivamente reparado',
      example: { repaired_at: '2026-11-20T17:30:00-03:00' },
      errors: ['forbidden'],
      ...onVisit,
      body: visitDates,
    },
    (ctx, { params, body }) => changeVisit(ctx, { order_id: params.id, ...body }),
  ),
  endpoint(
    {
      method: 'POST',
      path: `${ofOrder}/facts`,
      summary: 'Registra espera de peça ou carro reserva; de novo, com o mesmo início, registra o fim',
      example: { kind: 'awaiting_part', from_on: '2026-11-20' },
      errors: ['forbidden'],
      ...onVisit,
      body: visitFact,
    },
    (ctx, { params, body }) => addFact(ctx, { order_id: params.id, ...body }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/calendar/{token}',
      summary: 'Calendário dos prazos de uma pessoa (iCalendar), pelo endereço secreto dela',
      public: true,
      errors: ['not_found', 'too_many'],
      params: calendarToken,
      media: 'text/calendar',
    },
    async (ctx, { params }, http) =>
      sendStream(http, Readable.from([await calendarOf(ctx, params.token)]), {
        filename: 'prazos.ics',
        mime: 'text/calendar; charset=utf-8',
      }),
  ),
]
