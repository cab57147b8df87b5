import {
  accessToken,
  loginInput,
  message,
  recoveryInput,
  resetInput,
  signUpInput,
} from '@garantia/shared/auth/schema'
import { userView } from '@garantia/shared/users/schema'
import { endpoint } from '../../../http/rest.ts'
import { FILE_POLICY } from '../../../http/send.ts'
import { originOf, tokenOf } from '../../../http/session.ts'
import { readRecoveryEmail, recoverPassword, resetPassword, signIn, signOut, signUp } from './service.ts'

export const authEndpoints = [
  endpoint(
    {
      method: 'POST',
      path: ['/login/access-token', '/token'],
      summary: 'Entra com email (ou nome de usuário) e senha',
      form: true,
      example: { username: 'ana@exemplo.com.br', password: 'uma-senha-longa' },
      errors: ['rule', 'too_many'],
      public: true,
      body: loginInput,
      reply: accessToken,
    },
    (ctx, { body }, { request }) => signIn(ctx, body, originOf(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/logout',
      summary: 'Encerra esta sessão',
      reply: message,
    },
    (ctx, _, { request }) => signOut(ctx, tokenOf(request) ?? ''),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/users/signup',
      summary: 'Cria uma conta',
      example: { full_name: 'Ana Maria', email: 'ana@exemplo.com.br', password: 'uma-senha-longa' },
      errors: ['forbidden', 'conflict', 'too_many'],
      public: true,
      body: signUpInput,
      reply: userView,
    },
    (ctx, { body }, { request }) => signUp(ctx, body, originOf(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/password-recovery/{email}',
      summary: 'Envia o link de recuperação da senha',
      errors: ['not_found', 'too_many'],
      public: true,
      params: recoveryInput,
      reply: message,
    },
    (ctx, { params }, { request }) => recoverPassword(ctx, params.email, originOf(request)),
  ),
  endpoint(
    {
      method: 'POST',
      path: '/password-recovery-html-content/{email}',
      summary: 'Mostra a mensagem de recuperação a um superusuário',
      media: 'text/html',
      errors: ['forbidden', 'not_found'],
      params: recoveryInput,
    },
    async (ctx, { params }, { reply }) => {
      const { html } = await readRecoveryEmail(ctx, params.email)
      return reply.type('text/html; charset=utf-8').header('content-security-policy', FILE_POLICY).send(html)
    },
  ),
  endpoint(
    {
      method: 'POST',
      path: '/reset-password',
      summary: 'Troca a senha com o token da mensagem',
      example: { token: 'o-token-recebido', new_password: 'uma-senha-longa' },
      errors: ['rule'],
      public: true,
      body: resetInput,
      reply: message,
    },
    (ctx, { body }) => resetPassword(ctx, body),
  ),
]
