import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a directory answers: the claims of the ID token, and those that userinfo has besides. */
export interface PlayedAnswer {
  id_token: Record<string, unknown>
  userinfo?: Record<string, unknown>
  /** Signs the ID token with another key than the published one. */
  isForged?: boolean
}

const KID = 'chave'
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

function jwt(claims: object, key: KeyObject) {
  const signed = `${encoded({ alg: 'RS256', kid: KID })}.${encoded(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/**
 * A directory on a port of this machine that signs everybody in at once and says what `answers` returns at that
 * moment, as the products of different makers do (OpenID Connect Core 1.0).
 */
export async function playDirectory(answers: () => PlayedAnswer) {
  const published = newKey()
  const other = newKey()
  const nonces = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const answer = answers()
    const json = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url.pathname === '/jwks')
      return json({
        keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: KID, use: 'sig', alg: 'RS256' }],
      })
    if (url.pathname === '/authorize') {
      const code = String(nonces.size)
      nonces.set(code, url.searchParams.get('nonce') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }))
      return response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/userinfo') return json({ sub: answer.id_token.sub, ...answer.userinfo })
    const body = new URLSearchParams(await text(request))
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: 'garantia',
      iat: now,
      exp: now + 300,
      nonce: nonces.get(body.get('code') ?? ''),
      ...answer.id_token,
    }
    const { privateKey } = answer.isForged ? other : published
    json({ access_token: 'acesso', token_type: 'Bearer', id_token: jwt(claims, privateKey) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
