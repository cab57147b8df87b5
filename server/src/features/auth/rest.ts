import { accessToken, loginInput } from '@garantia/shared/auth/schema'
import { endpoint } from '../../http/rest.ts'
import { originOf } from '../../http/session.ts'
import { signIn } from './service.ts'

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
]
