import {
  brandChange,
  brandList,
  brandsInitialized,
  brandView,
  evidenceRules,
} from '@garantia/shared/brands/schema'
import { companyList } from '@garantia/shared/companies/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../http/rest.ts'
import {
  changeBrand,
  initializeBrands,
  listBrands,
  readBrand,
  readBrandCompanies,
  readEvidenceRules,
} from './service.ts'

export const brandEndpoints = [
  endpoint({ method: 'GET', path: '/brands', reply: brandList }, (ctx) => listBrands(ctx)),
  endpoint({ method: 'POST', path: '/brands/initialize', reply: brandsInitialized }, (ctx) =>
    initializeBrands(ctx),
  ),
  endpoint({ method: 'GET', path: '/brands/{id}', params: byId, reply: brandView }, (ctx, { params }) =>
    readBrand(ctx, params.id),
  ),
  endpoint(
    { method: 'PATCH', path: '/brands/{id}', params: byId, body: brandChange, reply: brandView },
    (ctx, { params, body }) => changeBrand(ctx, { id: params.id, change: body }),
  ),
  endpoint(
    { method: 'GET', path: '/brands/{id}/companies', params: byId, reply: companyList },
    (ctx, { params }) => readBrandCompanies(ctx, params.id),
  ),
  endpoint(
    { method: 'GET', path: '/brands/{id}/evidence-rules', params: byId, reply: evidenceRules },
    (ctx, { params }) => readEvidenceRules(ctx, params.id),
  ),
]
