/** Network address and browser of a caller. */
export interface Origin {
  ip: string | null
  user_agent: string | null
}

/**
 * The network of an address: /24 for IPv4, /64 for IPv6, since one person can use many addresses of it.
 * «local» when the address is unknown.
 */
export function networkOf(ip: string | null) {
  if (!ip) return 'local'
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)
  if (v4?.[1]) return v4[1]
  const [head = '', tail] = (ip.split('%')[0] ?? '').toLowerCase().split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array(zeros).fill('0'), ...last].slice(0, 4).join(':')
}
const groupsOf = (part: string) =>
  part
    .split(':')
    .filter(Boolean)
    .map((group) => group.replace(/^0+(?=.)/, ''))
