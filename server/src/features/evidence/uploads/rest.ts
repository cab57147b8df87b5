import { uploadResult } from '@garantia/shared/evidence/schema'
import { z } from 'zod'
import { endpoint } from '../../../http/rest.ts'
import { capabilities, handleTusRequest } from './tus.ts'

const version = { 'tus-resumable': z.string().optional().describe('Sempre `1.0.0`.') }
const oneUpload = z.object({ id: z.uuid('Deve ser um identificador de envio') })
const protocol = ['precondition', 'not_found'] as const

/** Resumable uploads by tus 1.0.0. */
export const uploadEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/uploads',
      options: capabilities,
      summary: 'Começa o envio de um arquivo em partes (tus); `Location` diz onde continuar',
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
      headers: z.object({
        ...version,
        'upload-length': z.string().optional().describe('Tamanho do arquivo em bytes.'),
        'upload-metadata': z
          .string()
          .optional()
          .describe(
            'Pares `nome valor-em-base64` separados por vírgula: `order_id`, `filename` e, se houver, `category`, `description` e `sha256` (do arquivo inteiro).',
          ),
      }),
      piece: 'optional',
      empty: true,
      status: 201,
    },
    (ctx, _, http) => handleTusRequest(ctx, http),
  ),
  endpoint(
    {
      method: 'HEAD',
      path: '/uploads/{id}',
      summary: 'Diz em `Upload-Offset` quanto já chegou e, no fim, em `Upload-Evidence-Id` o que virou',
      errors: [...protocol, 'conflict'],
      params: oneUpload,
      headers: z.object(version),
      empty: true,
    },
    (ctx, _, http) => handleTusRequest(ctx, http),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: '/uploads/{id}',
      summary: 'Continua um envio; a última parte responde como o envio comum',
      errors: [...protocol, 'forbidden', 'conflict', 'rule', 'storage_full'],
      params: oneUpload,
      headers: z.object({
        ...version,
        'upload-offset': z
          .string()
          .optional()
          .describe('De onde continua: o que o servidor disse por último.'),
      }),
      piece: 'required',
      reply: uploadResult,
    },
    (ctx, _, http) => handleTusRequest(ctx, http),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/uploads/{id}',
      summary: 'Desiste de um envio; o que já virou evidência fica',
      errors: [...protocol, 'forbidden', 'conflict'],
      params: oneUpload,
      headers: z.object(version),
      empty: true,
      status: 204,
    },
    (ctx, _, http) => handleTusRequest(ctx, http),
  ),
]
