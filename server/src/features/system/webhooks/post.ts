import { lookup } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const LONGEST_MS = 15_000

/** The address is one of this machine or its network, where a message could reach what the internet cannot. */
export class PrivateAddress extends Error {}

/** The only IPv6 addresses of the internet (RFC 4291): the others may contain an IPv4 address of this network. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure's platform answers its virtual machines at this address of the internet. */
const PLATFORM = '168.63.129.16'

/** A host on the internet: not this machine, not its network, not an address of documentation or of another use. */
export function isPublic(text: string) {
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL_UNICAST) : address.toString() !== PLATFORM
}

/** Resolves names as usual, and refuses all addresses of one that is not public: the one that is checked is used. */
const lookupPublic: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublic(address)))
      return done(new PrivateAddress(hostname), [])
    if (options.all) done(null, addresses)
    else done(null, first.address, first.family)
  })

/**
 * Sends a body and returns the status of the answer; nothing of it is kept, and no redirect is followed. Throws
 * PrivateAddress when `isPrivateAllowed` is false and the host is not public, or for plain HTTP; otherwise what the
 * network says, also after 15 seconds.
 */
export function post(
  address: string,
  {
    body,
    headers,
    isPrivateAllowed,
  }: { body: string; headers: Record<string, string>; isPrivateAllowed: boolean },
): Promise<number> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    if (!isPrivateAllowed && (url.protocol !== 'https:' || (isIP(host) && !isPublic(host))))
      return reject(new PrivateAddress(host))
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.timeout(LONGEST_MS),
        ...(!isPrivateAllowed && { lookup: lookupPublic }),
      },
      (answer) => {
        // What it says is not read: it may be endless.
        answer.destroy()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
