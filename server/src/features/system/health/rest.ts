import { z } from 'zod'
import { endpoint } from '../../../http/rest.ts'
import { checkHealth } from './service.ts'

export const healthEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/utils/health-check',
      summary:
        'Responde `true` quando o servidor e o banco atendem; o cabeçalho `x-demonstration` diz se os dados são inventados',
      public: true,
      reply: z.literal(true),
    },
    async (ctx, _, { reply }) => {
      const { is_demonstration } = await checkHealth(ctx)
      reply.header('x-demonstration', String(is_demonstration))
      return true as const
    },
  ),
]
