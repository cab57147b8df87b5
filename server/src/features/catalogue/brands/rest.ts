import {
  brandChange,
  brandEdit,
  brandList,
  brandsInitialized,
  brandView,
  evidenceRules,
} from '@garantia/shared/brands/schema'
import { companyList } from '@garantia/shared/companies/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import {
  changeBrand,
  initializeBrands,
  listBrands,
  readBrand,
  readBrandCompanies,
  readEvidenceRules,
} from './service.ts'

/** Without a version the last write wins (D-49). */
const brandBody = brandChange.extend({ version: brandEdit.shape.version })

export const brandEndpoints = [
  endpoint({ method: 'GET', path: '/brands', summary: 'Lista marcas', reply: brandList }, (ctx) =>
    listBrands(ctx),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/brands/initialize',
      summary: 'Cria as marcas de exemplo que faltam',
      errors: ['forbidden'],
      reply: brandsInitialized,
    },
    (ctx) => initializeBrands(ctx),
  ),
  endpoint(
    { method: 'GET', path: '/brands/{id}', summary: 'Mostra uma marca', params: byId, reply: brandView },
    (ctx, { params }) => readBrand(ctx, params.id),
  ),
  endpoint(
    {
      method: 'PATCH',
      path: '/brands/{id}',
      summary: 'Muda as regras de uma marca',
      example: {
        max_video_count: 3,
        naming_template: '{os}_{categoria}_{seq2}',
        required_categories: [{ category: 'odometro', min: 1 }],
      },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'brand.change',
      body: brandBody,
      reply: brandView,
    },
    (ctx, { params, body: { version, ...change } }) => changeBrand(ctx, { id: params.id, version, change }),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/brands/{id}/companies',
      summary: 'Lista as empresas que atendem a marca',
      params: byId,
      reply: companyList,
    },
    (ctx, { params }) => readBrandCompanies(ctx, params.id),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/brands/{id}/evidence-rules',
      summary: 'Mostra as regras de evidência da marca',
      params: byId,
      reply: evidenceRules,
    },
    (ctx, { params }) => readEvidenceRules(ctx, params.id),
  ),
]
