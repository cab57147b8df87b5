import { message } from '@garantia/shared/auth/schema'
import { byId } from '@garantia/shared/fields'
import { userChange, userFilter, userInput, userList, userView } from '@garantia/shared/users/schema'
import { endpoint } from '../../../http/rest.ts'
import { removeFactorsOf } from '../second-factor/service.ts'
import { changeUser, createUser, listUsers, readUser, removeUser } from './service.ts'

export const userEndpoints = [
  endpoint(
    {
      method: 'GET',
      path: '/users',
      summary: 'Lista pessoas',
      errors: ['forbidden'],
      query: userFilter,
      reply: userList,
    },
    (ctx, { query }) => listUsers(ctx, query),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/users',
      summary: 'Cadastra uma pessoa',
      example: {
        full_name: 'Rui Lima',
        email: 'rui@exemplo.com.br',
        role: 'technician',
        company_id: 1,
        manager_id: 2,
        password: 'uma-senha-longa',
      },
      errors: ['forbidden', 'conflict'],
      action: 'user.open',
      body: userInput,
      reply: userView,
    },
    (ctx, { body }) => createUser(ctx, body),
  ),
  endpoint(
    {
      method: 'GET',
      path: '/users/{id}',
      summary: 'Mostra uma pessoa',
      errors: ['forbidden'],
      params: byId,
      reply: userView,
    },
    (ctx, { params }) => readUser(ctx, params.id),
  ),
  endpoint(
    {
      method: ['PATCH', 'PUT'],
      path: '/users/{id}',
      summary: 'Muda uma pessoa',
      example: { department: 'Oficina', is_active: true },
      errors: ['forbidden', 'conflict'],
      params: byId,
      action: 'user.change',
      body: userChange,
      reply: userView,
    },
    (ctx, { params, body }) => changeUser(ctx, params.id, body),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/users/{id}',
      summary: 'Exclui uma pessoa sem registros vinculados',
      errors: ['forbidden', 'conflict'],
      params: byId,
      reply: message,
    },
    (ctx, { params }) => removeUser(ctx, params.id),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/users/{id}/second-factor',
      summary: 'Remove a verificação em duas etapas e as chaves de acesso de uma pessoa',
      errors: ['forbidden'],
      action: 'user.recredential',
      params: byId,
      reply: message,
    },
    (ctx, { params }) => removeFactorsOf(ctx, params.id),
  ),
]
