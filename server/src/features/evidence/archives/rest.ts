import { archiveRequest, packageArchive, packageArchiveList } from '@garantia/shared/evidence/archive'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { sendObject } from '../../../http/send.ts'
import { chooseArchive, listArchives, requestArchive } from './service.ts'

const at = '/service-orders/packages'

export const archiveEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: at,
      summary: 'Lista os arquivos com pacotes de várias ordens que você pediu nas últimas 24 horas',
      reply: packageArchiveList,
    },
    (ctx) => listArchives(ctx),
  ),
  endpoint(
    {
      method: 'POST',
      path: at,
      summary: 'Pede um ZIP com os pacotes de várias ordens, cada um na sua pasta',
      errors: ['forbidden', 'conflict', 'too_many', 'storage_full'],
      action: 'package.build',
      body: archiveRequest,
      example: { ids: [41, 42] },
      reply: packageArchive,
    },
    (ctx, { body }) => requestArchive(ctx, body.ids),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${at}/{id}/download`,
      summary: 'Baixa um ZIP pronto com os pacotes de várias ordens',
      media: 'application/zip',
      ranges: true,
      errors: ['conflict'],
      params: byId,
    },
    async (ctx, { params }, http) => sendObject(ctx, await chooseArchive(ctx, params.id), http),
  ),
]
