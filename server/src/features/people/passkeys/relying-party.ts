import type { Config } from '../../../kernel/config.ts'

/**
 * The name that passkeys are made for, and the addresses at which they may be used. Browsers accept no IP address as
 * a name, so on this machine alone `localhost` stands for it (WebAuthn level 3, section 5.1.2).
 */
export function relyingParty({ app_url }: Pick<Config, 'app_url'>) {
  const { hostname, origin, port, protocol } = new URL(app_url)
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
  if (!isLoopback) return { id: hostname, origins: [origin] }
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
}
