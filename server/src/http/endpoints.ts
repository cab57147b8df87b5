import { z } from 'zod'
import { accountEndpoints } from '../features/account/rest.ts'
import { authEndpoints } from '../features/auth/rest.ts'
import { brandEndpoints } from '../features/brands/rest.ts'
import { companyEndpoints } from '../features/companies/rest.ts'
import { conversionEndpoints } from '../features/conversion/rest.ts'
import { dashboardEndpoints } from '../features/dashboard/rest.ts'
import { dossierEndpoints } from '../features/dossier/rest.ts'
import { evidenceEndpoints } from '../features/evidence/rest.ts'
import { healthEndpoints } from '../features/health/rest.ts'
import { orderListEndpoints } from '../features/order-list/rest.ts'
import { orderEndpoints } from '../features/orders/rest.ts'
import { tokenEndpoints } from '../features/tokens/rest.ts'
import { uploadEndpoints } from '../features/uploads/rest.ts'
import { userEndpoints } from '../features/users/rest.ts'
import { openApiOf } from './openapi/document.ts'
import { type Endpoint, endpoint } from './rest.ts'

/** Rows that stand under one heading of the document. */
const under = (tag: string, rows: readonly Endpoint[]): Endpoint[] => rows.map((row) => ({ tag, ...row }))

const document = endpoint(
  {
    method: 'GET',
    path: '/openapi.json',
    public: true,
    summary: 'Este documento, em OpenAPI 3.1',
    reply: z.looseObject({ openapi: z.string() }),
  },
  () => openApiDocument,
)

/** The whole REST surface, in one list. */
export const endpoints: readonly Endpoint[] = [
  ...under('Sistema', [...healthEndpoints, document]),
  ...under('Acesso', authEndpoints),
  ...under('Minha conta', accountEndpoints),
  ...under('Tokens de API', tokenEndpoints),
  ...under('Usuários', userEndpoints),
  ...under('Empresas', companyEndpoints),
  ...under('Marcas', brandEndpoints),
  ...under('Ordens de serviço', [...orderListEndpoints, ...orderEndpoints]),
  ...under('Painel', dashboardEndpoints),
  ...under('Evidências', [...evidenceEndpoints, ...uploadEndpoints]),
  ...under('Conversão', conversionEndpoints),
  ...under('Dossiês', dossierEndpoints),
]

const openApiDocument = openApiOf(endpoints)
