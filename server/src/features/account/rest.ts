import { message, passwordChange } from '@garantia/shared/auth/schema'
import { meView, profileChange } from '@garantia/shared/users/schema'
import { endpoint } from '../../http/rest.ts'
import { tokenOf } from '../../http/session.ts'
import { changeMe, changeMyPassword, leaveAccount, readMe } from './service.ts'

export const accountEndpoints = [
  endpoint({ method: 'GET', path: '/users/me', reply: meView }, (ctx) => readMe(ctx)),
  endpoint(
    { method: ['PATCH', 'PUT'], path: '/users/me', body: profileChange, reply: meView },
    (ctx, { body }) => changeMe(ctx, body),
  ),
  endpoint({ method: 'DELETE', path: '/users/me', reply: message }, (ctx) => leaveAccount(ctx)),
  endpoint(
    { method: ['PATCH', 'PUT'], path: '/users/me/password', body: passwordChange, reply: message },
    (ctx, { body }, { request }) => changeMyPassword(ctx, body, tokenOf(request) ?? ''),
  ),
]
