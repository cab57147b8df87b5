import { createServer } from 'node:http'
import Provider from 'oidc-provider'

export interface DirectoryPerson {
  email: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export const CLIENT = { OIDC_CLIENT_ID: 'garantia', OIDC_CLIENT_SECRET: 'segredo-do-diretorio' }
/** What a session may learn without being asked for its consent again. */
const SCOPE = 'openid email profile'

/**
 * A directory that speaks OpenID Connect on a port of this machine. `people` by login; its sign-in page takes any
 * password. The claims come with userinfo, not with the ID token.
 */
export async function startDirectory(people: Record<string, DirectoryPerson>, product: { url: string }) {
  const server = createServer()
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.OIDC_CLIENT_ID,
        client_secret: CLIENT.OIDC_CLIENT_SECRET,
        redirect_uris: [`${product.url}/directory/callback`],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['chave-dos-testes'] },
    findAccount: (_, id) => {
      const person = people[id]
      return person && { accountId: id, claims: () => ({ sub: id, email_verified: true, ...person }) }
    },
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId
      const clientId = oidc.client?.clientId
      if (!accountId || !clientId) return undefined
      const grant = new oidc.provider.Grant({ accountId, clientId })
      grant.addOIDCScope(SCOPE)
      await grant.save()
      return grant
    },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
