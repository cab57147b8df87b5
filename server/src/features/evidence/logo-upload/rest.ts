import { companyDetail } from '@garantia/shared/companies/schema'
import { byId } from '@garantia/shared/fields'
import { contentLength, uploadParts } from '../../../http/multipart.ts'
import { endpoint } from '../../../http/rest.ts'
import { receiveLogo } from './service.ts'

export const logoUploadEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: '/companies/{id}/logo',
      summary: 'Recebe o logotipo de uma empresa: JPEG, PNG ou WebP',
      errors: ['forbidden', 'not_found', 'too_many', 'storage_full'],
      action: 'company.change',
      params: byId,
      files: 'one',
      reply: companyDetail,
    },
    (ctx, { params }, { request }) =>
      receiveLogo(ctx, params.id, uploadParts(request), contentLength(request)),
  ),
]
