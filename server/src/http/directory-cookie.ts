import type { Config } from '../kernel/config.ts'

/**
 * The cookie that ties a sign-in at the directory to one browser. Over HTTPS its name has the prefix with
 * which a browser takes it from this host alone, not from a neighbour of the domain (RFC 6265bis, section
 * 4.1.3.2).
 */
export function directoryCookie({ app_url }: Pick<Config, 'app_url'>) {
  const isSecure = app_url.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}garantia_directory`
  const sent = new RegExp(`(?:^|; )${name}=([\\w-]+)`)
  return {
    /** The `Set-Cookie` of a value for that many seconds; 0 removes it. */
    header: (value: string, seconds: number) =>
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    /** What the browser has sent; undefined without it. */
    read: (cookies = '') => sent.exec(cookies)?.[1],
  }
}
