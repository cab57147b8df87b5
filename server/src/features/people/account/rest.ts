import { accessEnd, confirmInput, message, passwordChange } from '@garantia/shared/auth/schema'
import { meView, profileChange } from '@garantia/shared/users/schema'
import { endpoint } from '../../../http/rest.ts'
import { tokenOf } from '../../../http/session.ts'
import { changeMe, changeMyPassword, closeMyAccess, confirmSelf, leaveAccount, readMe } from './service.ts'

export const accountEndpoints = [
  endpoint(
    { method: 'GET', path: '/users/me', summary: 'Seus dados e o seu alcance', reply: meView },
    (ctx) => readMe(ctx),
  ),
  endpoint(
    {
      method: ['PATCH', 'PUT'],
      path: '/users/me',
      summary: 'Muda seu nome ou login',
      example: { full_name: 'Ana Maria' },
      errors: ['forbidden', 'conflict'],
      action: 'account.change',
      body: profileChange,
      reply: meView,
    },
    (ctx, { body }, { request }) => changeMe(ctx, body, tokenOf(request) ?? ''),
  ),
  endpoint(
    {
      method: 'DELETE',
      path: '/users/me',
      summary: 'Exclui a sua conta',
      errors: ['forbidden'],
      reply: message,
    },
    (ctx) => leaveAccount(ctx),
  ),
  endpoint(
    {
      method: ['PATCH', 'PUT'],
      path: '/users/me/password',
      summary: 'Troca a sua senha e encerra as outras sessões',
      example: { current_password: 'a-senha-de-hoje', new_password: 'uma-senha-longa' },
      errors: ['rule', 'forbidden', 'too_many'],
      action: 'account.secure',
      body: passwordChange,
      reply: message,
    },
    (ctx, { body }, { request }) => changeMyPassword(ctx, body, tokenOf(request) ?? ''),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/users/me/confirm',
      summary: 'Confirma a sua senha, para o que abre ou fecha contas, por dez minutos',
      example: { password: 'a-senha-de-hoje' },
      errors: ['rule', 'forbidden', 'too_many'],
      action: 'account.secure',
      body: confirmInput,
      reply: message,
    },
    (ctx, { body }, { request }) => confirmSelf(ctx, body, tokenOf(request) ?? ''),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/users/me/end-sessions',
      summary: 'Encerra todas as suas sessões, e os tokens de API se pedido',
      example: { revoke_tokens: true },
      errors: ['forbidden'],
      action: 'account.secure',
      body: accessEnd,
      reply: message,
    },
    (ctx, { body }) => closeMyAccess(ctx, body),
  ),
]
