import { message } from '@garantia/shared/auth/schema'
import { byId } from '@garantia/shared/fields'
import { userChange, userFilter, userInput, userList, userView } from '@garantia/shared/users/schema'
import { endpoint } from '../../http/rest.ts'
import { changeUser, listUsers, openUser, readUser, removeUser } from './service.ts'

export const userEndpoints = [
  endpoint({ method: 'GET', path: '/users', query: userFilter, reply: userList }, (ctx, { query }) =>
    listUsers(ctx, query),
  ),
  endpoint({ method: 'POST', path: '/users', body: userInput, reply: userView }, (ctx, { body }) =>
    openUser(ctx, body),
  ),
  endpoint({ method: 'GET', path: '/users/{id}', params: byId, reply: userView }, (ctx, { params }) =>
    readUser(ctx, params.id),
  ),
  endpoint(
    { method: ['PATCH', 'PUT'], path: '/users/{id}', params: byId, body: userChange, reply: userView },
    (ctx, { params, body }) => changeUser(ctx, params.id, body),
  ),
  endpoint({ method: 'DELETE', path: '/users/{id}', params: byId, reply: message }, (ctx, { params }) =>
    removeUser(ctx, params.id),
  ),
]
