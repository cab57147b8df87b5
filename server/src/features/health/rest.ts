import { z } from 'zod'
import { endpoint } from '../../http/rest.ts'
import { checkHealth } from './service.ts'

export const healthEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/utils/health-check',
      summary: 'Responde `true` quando o servidor e o banco atendem',
      public: true,
      reply: z.literal(true),
    },
    (ctx) => checkHealth(ctx),
  ),
]
