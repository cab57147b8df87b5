import { z } from 'zod'
import { brandEndpoints } from '../features/catalogue/brands/rest.ts'
import { companyEndpoints } from '../features/catalogue/companies/rest.ts'
import { claimEndpoints } from '../features/claims/claim/rest.ts'
import { deadlineEndpoints } from '../features/claims/deadlines/rest.ts'
import { claimEntryEndpoints } from '../features/claims/entries/rest.ts'
import { claimListEndpoints } from '../features/claims/list/rest.ts'
import { partEndpoints } from '../features/claims/parts/rest.ts'
import { reasonEndpoints } from '../features/claims/reasons/rest.ts'
import { remittanceEndpoints } from '../features/claims/remittances/rest.ts'
import { claimReportEndpoints } from '../features/claims/reports/rest.ts'
import { archiveEndpoints } from '../features/evidence/archives/rest.ts'
import { bulkEndpoints, conversionEndpoints } from '../features/evidence/conversion/rest.ts'
import { evidenceEndpoints } from '../features/evidence/files/rest.ts'
import { guestEndpoints } from '../features/evidence/guest-links/rest.ts'
import { importUploadEndpoints } from '../features/evidence/import-upload/rest.ts'
import { logoUploadEndpoints } from '../features/evidence/logo-upload/rest.ts'
import { packageEndpoints } from '../features/evidence/package/rest.ts'
import { guestUploadEndpoints, uploadEndpoints } from '../features/evidence/uploads/rest.ts'
import { dashboardEndpoints } from '../features/orders/dashboard/rest.ts'
import { orderImportEndpoints } from '../features/orders/import/rest.ts'
import { orderListEndpoints } from '../features/orders/list/rest.ts'
import { orderEndpoints } from '../features/orders/order/rest.ts'
import { reportEndpoints } from '../features/orders/reports/rest.ts'
import { accountEndpoints } from '../features/people/account/rest.ts'
import { auditEndpoints } from '../features/people/audit/rest.ts'
import { authEndpoints } from '../features/people/auth/rest.ts'
import { tokenEndpoints } from '../features/people/tokens/rest.ts'
import { userEndpoints } from '../features/people/users/rest.ts'
import { dossierEndpoints } from '../features/records/dossier/rest.ts'
import { healthEndpoints } from '../features/system/health/rest.ts'
import { openApiOf } from '../http/openapi/document.ts'
import { type Endpoint, endpoint } from '../http/rest.ts'

/** Endpoints grouped under one tag of the OpenAPI document. */
const withTag = (tag: string, rows: readonly Endpoint[]): Endpoint[] => rows.map((row) => ({ tag, ...row }))

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

/** Every REST endpoint, in one list. */
export const endpoints: readonly Endpoint[] = [
  ...withTag('Sistema', [...healthEndpoints, document]),
  ...withTag('Acesso', authEndpoints),
  ...withTag('Minha conta', accountEndpoints),
  ...withTag('Tokens de API', tokenEndpoints),
  ...withTag('Usuários', userEndpoints),
  ...withTag('Auditoria', auditEndpoints),
  ...withTag('Empresas', [...companyEndpoints, ...logoUploadEndpoints]),
  ...withTag('Marcas', brandEndpoints),
  ...withTag('Ordens de serviço', [
    ...orderListEndpoints,
    ...bulkEndpoints,
    ...importUploadEndpoints,
    ...orderImportEndpoints,
    ...orderEndpoints,
  ]),
  ...withTag('Painel', dashboardEndpoints),
  ...withTag('Relatórios', reportEndpoints),
  ...withTag('Evidências', [
    ...evidenceEndpoints,
    ...packageEndpoints,
    ...archiveEndpoints,
    ...uploadEndpoints,
  ]),
  ...withTag('Links para fotos', [...guestEndpoints, ...guestUploadEndpoints]),
  ...withTag('Conversão', conversionEndpoints),
  ...withTag('Dossiês', dossierEndpoints),
  ...withTag('Solicitações de garantia', [
    ...claimListEndpoints,
    ...claimEndpoints,
    ...claimEntryEndpoints,
    ...partEndpoints,
  ]),
  ...withTag('Demonstrativos de pagamento', remittanceEndpoints),
  ...withTag('Recebíveis e recusas', [...claimReportEndpoints, ...reasonEndpoints]),
  ...withTag('Prazos', deadlineEndpoints),
]

const openApiDocument = openApiOf(endpoints)
