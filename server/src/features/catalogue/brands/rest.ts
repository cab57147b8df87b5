import { brandImport, brandImportResult } from '@garantia/shared/brands/file'
import {
  brandChange,
  brandEdit,
  brandInput,
  brandList,
  brandsInitialized,
  brandView,
  evidenceRules,
  NEW_BRAND_RULES,
} from '@garantia/shared/brands/schema'
import { companyList } from '@garantia/shared/companies/schema'
import { byId } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import {
  changeBrand,
  importBrands,
  initializeBrands,
  listBrands,
  openBrand,
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
    {
      method: 'POST',
      path: '/brands',
      summary: 'Acrescenta uma marca, com as regras de outra ou com valores de exemplo',
      example: { display_name: 'Peugeot', slug: 'peugeot', copy_from: 1 },
      errors: ['forbidden', 'conflict'],
      action: 'brand.change',
      body: brandInput,
      reply: brandView,
    },
    (ctx, { body }) => openBrand(ctx, body),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/brands/import',
      summary: 'Acrescenta e muda marcas por um arquivo de regras; com dry_run só diz o que mudaria',
      example: {
        dry_run: true,
        file: {
          format: 'garantia-marcas',
          version: 1,
          brands: [
            {
              ...NEW_BRAND_RULES,
              code: 'peugeot',
              display_name: 'Peugeot',
              is_sample: true,
              accepted_video_formats: ['mp4'],
              accepted_image_formats: ['jpg', 'png'],
              required_categories: [{ category: 'odometro', min: 1 }],
            },
          ],
        },
      },
      errors: ['forbidden', 'conflict'],
      action: 'brand.change',
      body: brandImport,
      reply: brandImportResult,
    },
    (ctx, { body }) => importBrands(ctx, body),
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
