import { id } from '@garantia/shared/fields'
import { importView } from '@garantia/shared/orders/import'
import { z } from 'zod'
import { contentLength, uploadParts } from '../../../http/multipart.ts'
import { endpoint } from '../../../http/rest.ts'
import { receiveImport } from './service.ts'

export const importUploadEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/service-orders/imports',
      summary: 'Recebe um arquivo CSV ou XLSX com ordens de serviço de uma empresa',
      errors: ['forbidden', 'not_found', 'too_many', 'storage_full'],
      action: 'order.import',
      query: z.object({ company_id: id }),
      files: 'one',
      reply: importView,
      status: 201,
    },
    (ctx, { query }, { request }) =>
      receiveImport(ctx, query.company_id, uploadParts(request), contentLength(request)),
  ),
]
