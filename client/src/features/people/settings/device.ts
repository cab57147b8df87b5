/** Order matters: Edge and Opera also contain Chrome, and Chrome also contains Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const nameIn = (list: typeof BROWSERS, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** «Chrome no Windows», as far as the User-Agent tells; other programs by their first word. */
export function deviceOf(user_agent: string | null) {
  if (!user_agent?.trim()) return 'Aparelho desconhecido'
  const browser = nameIn(BROWSERS, user_agent)
  const system = nameIn(SYSTEMS, user_agent)
  if (browser && system) return `${browser} no ${system}`
  return browser ?? system ?? user_agent.trim().split(/[\s/]/)[0] ?? 'Aparelho desconhecido'
}

export const isHandheld = (user_agent: string | null) =>
  user_agent !== null && /\b(iPhone|iPad|Android)\b/.test(user_agent)
