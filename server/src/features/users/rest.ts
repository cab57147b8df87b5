import { meView } from '@garantia/shared/users/schema'
import { endpoint } from '../../http/rest.ts'
import { readMe } from './service.ts'

export const userEndpoints = [
  endpoint({ method: 'GET', path: '/users/me', reply: meView }, (ctx) => readMe(ctx)),
]
