import { companyList } from '@garantia/shared/companies/schema'
import { paging } from '@garantia/shared/fields'
import { endpoint } from '../../http/rest.ts'
import { listActiveCompanies } from './service.ts'

export const companyEndpoints = [
  endpoint(
    { method: 'GET', path: '/companies/active', query: paging, reply: companyList },
    (ctx, { query }) => listActiveCompanies(ctx, query),
  ),
]
