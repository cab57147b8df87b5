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
import { endpoint } from '../../http/rest.ts'
import {
  changeCompany,
  listActiveCompanies,
  listCompanies,
  openCompany,
  pageCompanies,
  readCompany,
  removeCompany,
} from './service.ts'

export const companyEndpoints = [
  endpoint(
    { method: 'GET', path: '/companies', query: companyFilter, reply: companyList },
    (ctx, { query }) => listCompanies(ctx, query),
  ),
  endpoint(
    { method: 'GET', path: '/companies/paginated', query: companyPaging, reply: companyPage },
    (ctx, { query }) => pageCompanies(ctx, query),
  ),
  endpoint(
    { method: 'GET', path: '/companies/active', query: paging, reply: companyList },
    (ctx, { query }) => listActiveCompanies(ctx, query),
  ),
  endpoint(
    { method: 'POST', path: '/companies', body: companyInput, reply: companyDetail },
    (ctx, { body }) => openCompany(ctx, body),
  ),
  endpoint(
    { method: 'GET', path: '/companies/{id}', params: byId, reply: companyDetail },
    (ctx, { params }) => readCompany(ctx, params.id),
  ),
  endpoint(
    {
      method: ['PATCH', 'PUT'],
      path: '/companies/{id}',
      params: byId,
      body: companyChange,
      reply: companyDetail,
    },
    (ctx, { params, body }) => changeCompany(ctx, params.id, body),
  ),
  endpoint({ method: 'DELETE', path: '/companies/{id}', params: byId, reply: message }, (ctx, { params }) =>
    removeCompany(ctx, params.id),
  ),
]
