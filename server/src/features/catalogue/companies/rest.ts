import { message } from '@garantia/shared/auth/schema'
import {
  companyChange,
  companyDetail,
  companyFilter,
  companyInput,
  companyList,
  companyPage,
  companyPaging,
} from '@garantia/shared/companies/schema'
import { byId, paging } from '@garantia/shared/fields'
import { endpoint } from '../../../http/rest.ts'
import {
  changeCompany,
  createCompany,
  listActiveCompanies,
  listCompanies,
  pageCompanies,
  readCompany,
  removeCompany,
  removeLogo,
} from './service.ts'

export const companyEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/companies',
      summary: 'Lista empresas',
      query: companyFilter,
      reply: companyList,
    },
    (ctx, { query }) => listCompanies(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/companies/paginated',
      summary: 'Lista empresas por página',
      query: companyPaging,
      reply: companyPage,
    },
    (ctx, { query }) => pageCompanies(ctx, query),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/companies/active',
      summary: 'Lista empresas ativas',
      query: paging,
      reply: companyList,
    },
    (ctx, { query }) => listActiveCompanies(ctx, query),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/companies',
      summary: 'Cadastra uma empresa',
      example: {
        trading_name: 'Concessionária Sol',
        legal_name: 'Sol Veículos Ltda',
        tax_id: '11222333000181',
        type: 'matriz',
      },
      errors: ['forbidden', 'conflict'],
      action: 'company.open',
      body: companyInput,
      reply: companyDetail,
    },
    (ctx, { body }) => createCompany(ctx, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/companies/{id}',
      summary: 'Mostra uma empresa',
      params: byId,
      reply: companyDetail,
    },
    (ctx, { params }) => readCompany(ctx, params.id),
  ),
  endpoint(
    {
      method: ['PATCH', 'PUT'],
      path: '/companies/{id}',
      summary: 'Muda uma empresa',
      example: { city: 'Santos', state: 'SP' },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'company.change',
      body: companyChange,
      reply: companyDetail,
    },
    (ctx, { params, body }) => changeCompany(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/companies/{id}',
      summary: 'Exclui uma empresa sem registros vinculados',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: message,
    },
    (ctx, { params }) => removeCompany(ctx, params.id),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/companies/{id}/logo',
      summary: 'Remove o logotipo de uma empresa',
      errors: ['forbidden'],
      params: byId,
      reply: companyDetail,
    },
    (ctx, { params }) => removeLogo(ctx, params.id),
  ),
]
