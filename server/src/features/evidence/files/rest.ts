import { captureNonces, noncesInput } from '@garantia/shared/evidence/capture'
import { validationResult } from '@garantia/shared/evidence/checks'
import {
  evidenceChange,
  evidenceChanges,
  evidenceChangesResult,
  evidenceDetail,
  evidenceFile,
  evidenceList,
  ofOrder,
  uploadResult,
} from '@garantia/shared/evidence/schema'
import { byId } from '@garantia/shared/fields'
import { z } from 'zod'
import { ifNoneMatch } from '../../../http/conditional-get.ts'
import { contentLength, uploadParts } from '../../../http/multipart.ts'
import { endpoint } from '../../../http/rest.ts'
import { sendObject } from '../../../http/send.ts'
import {
  changeEvidence,
  changeManyEvidence,
  chooseDownload,
  evidenceVersions,
  issueNonces,
  listEvidence,
  readEvidence,
  receiveEvidence,
  removeEvidence,
  restoreEvidence,
  validateEvidence,
} from './service.ts'

const about = z.object({ category: z.string().optional(), description: z.string().optional() })
const which = z.object({ original: z.boolean().optional() })

export const evidenceEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/evidence/{order_id}/upload',
      summary: 'Envia arquivos para a ordem',
      errors: ['forbidden', 'too_many', 'storage_full'],
      params: ofOrder,
      query: about,
      files: 'many',
      reply: uploadResult,
      status: 201,
    },
    (ctx, { params, query }, { request }) =>
      receiveEvidence(ctx, params.order_id, query, uploadParts(request), contentLength(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/evidence/{order_id}/capture-nonces',
      summary:
        'Emite códigos de uso único para fotos da câmera do app; cada um vai em `capture_nonce` de um envio (tus)',
      errors: ['forbidden', 'conflict'],
      params: ofOrder,
      action: 'evidence.upload',
      body: noncesInput,
      example: { count: 20 },
      reply: captureNonces,
    },
    (ctx, { params, body }) => issueNonces(ctx, params.order_id, body.count),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/evidence/{order_id}/evidence',
      summary: 'Lista as evidências da ordem',
      hasEtag: true,
      params: ofOrder,
      reply: evidenceList,
    },
    async (ctx, { params }, http) =>
      ifNoneMatch(http, (await evidenceVersions(ctx, params.order_id)).list, () =>
        listEvidence(ctx, params.order_id),
      ),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: '/evidence/{order_id}/evidence',
      summary: 'Altera a categoria ou a descrição de várias evidências da ordem, de uma vez',
      errors: ['forbidden', 'conflict'],
      params: ofOrder,
      action: 'evidence.change',
      body: evidenceChanges,
      example: { changes: [{ id: 41, evidence_category: 'odometro', seen_category: null }] },
      reply: evidenceChangesResult,
    },
    (ctx, { params, body }) => changeManyEvidence(ctx, params.order_id, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/evidence/{order_id}/validate',
      summary: 'Diz se o pacote pode ir à montadora, e o que falta',
      errors: ['forbidden'],
      params: ofOrder,
      reply: validationResult,
    },
    (ctx, { params }) => validateEvidence(ctx, params.order_id),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/evidence/{id}',
      summary: 'Mostra uma evidência, com o que a câmera gravou e quem a enviou',
      params: byId,
      reply: evidenceDetail,
    },
    (ctx, { params }) => readEvidence(ctx, params.id),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: '/evidence/{id}',
      summary: 'Altera a categoria ou a descrição de uma evidência',
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'evidence.change',
      body: evidenceChange,
      example: { evidence_category: 'odometro', description: 'Painel com o motor ligado' },
      reply: evidenceFile,
    },
    (ctx, { params, body }) => changeEvidence(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/evidence/{id}',
      summary: 'Exclui uma evidência',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: z.object({ message: z.string() }),
    },
    (ctx, { params }) => removeEvidence(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/evidence/{id}/restore',
      summary: 'Restaura uma evidência excluída, enquanto está na lixeira',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: evidenceFile,
    },
    (ctx, { params }) => restoreEvidence(ctx, params.id),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/evidence/{id}/download',
      summary: 'Baixa o arquivo convertido, ou o original',
      media: 'application/octet-stream',
      ranges: true,
      errors: ['conflict'],
      params: byId,
      query: which,
    },
    async (ctx, { params, query }, http) =>
      sendObject(ctx, await chooseDownload(ctx, params.id, query.original ?? false), http),
  ),
]
