import { endpoint } from '../../../http/rest.ts'
import { sendStream } from '../../../http/send.ts'
import { JSON_LINES } from './security-log.ts'
import { exportSecurityLog } from './service.ts'

export const auditEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/security-log/export',
      summary: 'Exporta o registro de segurança, um objeto JSON por linha',
      media: JSON_LINES,
      errors: ['forbidden'],
    },
    async (ctx, _, http) => {
      const { body, ...file } = await exportSecurityLog(ctx)
      return sendStream(http, body, file)
    },
  ),
]
