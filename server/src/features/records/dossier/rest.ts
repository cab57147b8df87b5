import { byFingerprint, confirmedDossier, dossierKeyList } from '@garantia/shared/dossier/proof'
import {
  DOSSIER_MIME,
  dossierList,
  dossierPartQuery,
  dossierVersionParams,
  dossierView,
} from '@garantia/shared/dossier/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import { sendObject } from '../../../http/send.ts'
import { chooseDossierFile, confirmDossier, houseKeys, listDossiers, requestDossier } from './service.ts'

const at = '/service-orders/{id}/dossier'

export const dossierEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: at,
      summary: 'Lista as versões do dossiê da ordem',
      params: byId,
      reply: dossierList,
    },
    (ctx, { params }) => listDossiers(ctx, params.id),
  ),
  endpoint(
    {
      method: 'POST',
      path: at,
      summary: 'Gera uma nova versão do dossiê, ou mostra a que já está em preparação',
      errors: ['forbidden', 'conflict', 'too_many', 'storage_full'],
      params: byId,
      reply: dossierView,
    },
    (ctx, { params }) => requestDossier(ctx, params.id),
  ),
  endpoint(
    {
      method: 'GET',
      path: `${at}/{n}/download`,
      summary: 'Baixa uma parte de um dossiê selado',
      media: Object.values(DOSSIER_MIME),
      ranges: true,
      errors: ['conflict'],
      params: dossierVersionParams,
      query: dossierPartQuery,
    },
    async (ctx, { params, query }, http) =>
      sendObject(ctx, await chooseDossierFile(ctx, params.id, params.n, query.part ?? 'zip'), http),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/dossier-keys',
      summary: 'Chaves públicas com que os dossiês desta instalação são ou foram assinados',
      public: true,
      reply: dossierKeyList,
    },
    (ctx) => {
      const data = houseKeys(ctx)
      return { data, count: data.length }
    },
  ),
  endpoint(
    {
      method: 'GET',
      path: '/dossier-confirmations/{fingerprint}',
      summary:
        'Confirma que um dossiê com esta impressão digital (SHA-256 do manifesto, ou do conteúdo impressa no relatório) foi selado aqui',
      public: true,
      errors: ['not_found', 'too_many'],
      params: byFingerprint,
      reply: confirmedDossier,
    },
    (ctx, { params }) => confirmDossier(ctx, params.fingerprint),
  ),
]
