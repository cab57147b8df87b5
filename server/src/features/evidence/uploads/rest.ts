import type { ErrorCode } from '@garantia/shared/errors'
import { guestUploadResult } from '@garantia/shared/evidence/guest-link'
import { type UploadResult, uploadResult } from '@garantia/shared/evidence/schema'
import { z } from 'zod'
import { guestHeaders, guestTokenOf } from '../../../http/guest.ts'
import { endpoint } from '../../../http/rest.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { asGuest, filesBy, type Guest } from '../guest-links/service.ts'
import { capabilities, type Http, handleTusRequest } from './tus.ts'

const version = { 'tus-resumable': z.string().optional().describe('Sempre `1.0.0`.') }
const oneUpload = z.object({ id: z.uuid('Deve ser um identificador de envio') })
const protocol = ['precondition', 'not_found'] as const

interface Place {
  path: `/${string}`
  /** Ends each summary. */
  words: string
  /** Of the pairs in `Upload-Metadata`. */
  names: string
  public?: true
  headers: z.ZodObject
  /** What every call is refused with, besides what the protocol says. */
  refusals: readonly ErrorCode[]
  reply: z.ZodType
  handle: (ctx: Ctx, http: Http) => Promise<unknown>
}
/** Resumable uploads by tus 1.0.0. */
const endpointsAt = ({ path, words, names, headers, refusals, reply, handle, ...isPublic }: Place) => [
  endpoint(
    {
      ...isPublic,
      method: 'POST',
      path,
      options: capabilities,
      summary: `Começa o envio de um arquivo em partes (tus)${words}; \`Location\` diz onde continuar`,
      errors: [
        ...protocol,
        'forbidden',
        'conflict',
        'invalid',
        'rule',
        'too_large',
        'unsupported',
        'too_many',
        'storage_full',
      ],
      headers: headers.extend({
        ...version,
        'upload-length': z.string().optional().describe('Tamanho do arquivo em bytes.'),
        'upload-metadata': z
          .string()
          .optional()
          .describe(`Pares \`nome valor-em-base64\` separados por vírgula: ${names}.`),
      }),
      piece: 'optional',
      empty: true,
      status: 201,
    },
    (ctx, _, http) => handle(ctx, http),
  ),
  endpoint(
    {
      ...isPublic,
      method: 'HEAD',
      path: `${path}/{id}`,
      summary: `Diz em \`Upload-Offset\` quanto já chegou${words} e, no fim, em \`Upload-Evidence-Id\` o que virou`,
      errors: [...protocol, 'conflict', ...refusals],
      params: oneUpload,
      headers: headers.extend(version),
      empty: true,
    },
    (ctx, _, http) => handle(ctx, http),
  ),
  endpoint(
    {
      ...isPublic,
      method: 'PATCH',
      path: `${path}/{id}`,
      summary: `Continua um envio${words}; a última parte responde como o envio comum`,
      errors: [...protocol, 'forbidden', 'conflict', 'rule', 'storage_full', ...refusals],
      params: oneUpload,
      headers: headers.extend({
        ...version,
        'upload-offset': z
          .string()
          .optional()
          .describe('De onde continua: o que o servidor disse por último.'),
      }),
      piece: 'required',
      reply,
    },
    (ctx, _, http) => handle(ctx, http),
  ),
  endpoint(
    {
      ...isPublic,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: `Desiste de um envio${words}; o que já virou evidência fica`,
      errors: [...protocol, 'forbidden', 'conflict', ...refusals],
      params: oneUpload,
      headers: headers.extend(version),
      empty: true,
      status: 204,
    },
    (ctx, _, http) => handle(ctx, http),
  ),
]

export const uploadEndpoints = endpointsAt({
  path: '/uploads',
  words: '',
  names:
    '`order_id`, `filename` e, se houver, `category`, `description`, `sha256` (do arquivo inteiro) e, de uma foto da câmera do app, `capture_nonce` e `captured_at`; um código inválido, vencido ou já usado é ignorado',
  headers: z.object({}),
  refusals: [],
  reply: uploadResult,
  handle: handleTusRequest,
})

/** The same by a link for photos, which decides about the order. */
export const guestUploadEndpoints = endpointsAt({
  path: '/guest/uploads',
  words: ' por um link para fotos',
  names: '`filename`, `category` e, se houver, `description` e `sha256` (do arquivo inteiro)',
  public: true,
  headers: guestHeaders,
  refusals: ['forbidden', 'too_many'],
  reply: guestUploadResult,
  handle: async (ctx, http) => {
    const guest = await asGuest(ctx, guestTokenOf(http.request))
    return handleTusRequest(guest.ctx, http, {
      order_id: guest.link.order_id,
      answerOf: (result) => answerOf(guest, result),
    })
  },
})
/** Nothing about the order, nor whether it had the file already, unless by this link. */
async function answerOf({ ctx, link }: Guest, { skipped }: UploadResult) {
  const own = new Set((await filesBy(ctx, link.id)).filter(({ is_own }) => is_own).map(({ id }) => id))
  return {
    skipped: skipped
      .filter(({ evidence_id }) => own.has(evidence_id))
      .map(({ filename, detail }) => ({ filename, detail })),
  }
}
