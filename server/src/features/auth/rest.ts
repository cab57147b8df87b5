import {
  accessToken,
  loginInput,
  message,
  recoveryInput,
  resetInput,
  signUpInput,
} from '@garantia/shared/auth/schema'
import { userView } from '@garantia/shared/users/schema'
import { endpoint } from '../../http/rest.ts'
import { originOf } from '../../http/session.ts'
import { readRecoveryLetter, recoverPassword, resetPassword, signIn, signUp } from './service.ts'

export const authEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: ['/login/access-token', '/token'],
      public: true,
      body: loginInput,
      reply: accessToken,
    },
    (ctx, { body }, { request }) => signIn(ctx, body, originOf(request)),
  ),
  endpoint(
    { method: 'POST', path: '/users/signup', public: true, body: signUpInput, reply: userView },
    (ctx, { body }, { request }) => signUp(ctx, body, originOf(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/password-recovery/{email}',
      public: true,
      params: recoveryInput,
      reply: message,
    },
    (ctx, { params }, { request }) => recoverPassword(ctx, params.email, originOf(request)),
  ),
  endpoint(
    { method: 'POST', path: '/password-recovery-html-content/{email}', params: recoveryInput },
    async (ctx, { params }, { reply }) => {
      const { html } = await readRecoveryLetter(ctx, params.email)
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(html)
    },
  ),
  endpoint(
    { method: 'POST', path: '/reset-password', public: true, body: resetInput, reply: message },
    (ctx, { body }) => resetPassword(ctx, body),
  ),
]
