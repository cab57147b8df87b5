import { validationResult } from '@garantia/shared/evidence/checks'
import { evidenceList, ofOrder, uploadResult } from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { z } from 'zod'
import { uploadParts } from '../../http/multipart.ts'
import { endpoint } from '../../http/rest.ts'
import { sendObject, sendRange } from '../../http/send.ts'
import { openPackage } from '../package/service.ts'
import { chooseDownload, listEvidence, receiveEvidence, removeEvidence, validateEvidence } from './service.ts'

const about = z.object({ category: z.string().optional(), description: z.string().optional() })
const which = z.object({ original: z.boolean().optional() })

export const evidenceEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/evidence/{order_id}/upload',
      params: ofOrder,
      query: about,
      files: true,
      reply: uploadResult,
      status: 201,
    },
    (ctx, { params, query }, { request }) =>
      receiveEvidence(ctx, params.order_id, query, uploadParts(request)),
  ),
  endpoint(
    { method: 'GET', path: '/evidence/{order_id}/evidence', params: ofOrder, reply: evidenceList },
    (ctx, { params }) => listEvidence(ctx, params.order_id),
  ),
  endpoint(
    { method: 'POST', path: '/evidence/{order_id}/validate', params: ofOrder, reply: validationResult },
    (ctx, { params }) => validateEvidence(ctx, params.order_id),
  ),
  endpoint(
    { method: 'DELETE', path: '/evidence/{id}', params: byId, reply: z.object({ message: z.string() }) },
    (ctx, { params }) => removeEvidence(ctx, params.id),
  ),
  endpoint(
    { method: 'GET', path: '/evidence/{id}/download', params: byId, query: which },
    async (ctx, { params, query }, http) =>
      sendObject(ctx, await chooseDownload(ctx, params.id, query.original ?? false), http),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/evidence/{order_id}/download-all',
      params: ofOrder,
      query: z.object({ originais: z.boolean().optional() }),
    },
    async (ctx, { params, query }, http) =>
      sendRange(await openPackage(ctx, params.order_id, query.originais), http),
  ),
]
