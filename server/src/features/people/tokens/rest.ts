import { message } from '@garantia/shared/auth/schema'
import { byId } from '@garantia/shared/fields'
import { apiTokenInput, apiTokenList, newApiToken } from '@garantia/shared/tokens/schema'
import { endpoint } from '../../../http/rest.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

export const tokenEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/tokens',
      summary: 'Lista os seus tokens de API',
      reply: apiTokenList,
      errors: ['forbidden'],
    },
    (ctx) => listTokens(ctx),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/tokens',
      summary: 'Cria um token de API, mostrado só nesta resposta',
      action: 'token.manage',
      body: apiTokenInput,
      example: { name: 'Integração com o ERP', expires_in_days: 90, scope: 'evidence' },
      reply: newApiToken,
      errors: ['forbidden', 'conflict', 'too_many'],
    },
    (ctx, { body }) => createToken(ctx, body),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/tokens/{id}',
      summary: 'Revoga um token de API',
      params: byId,
      reply: message,
      errors: ['forbidden'],
    },
    (ctx, { params }) => revokeToken(ctx, params.id),
  ),
]
