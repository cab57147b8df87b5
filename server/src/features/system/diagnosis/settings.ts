import type { Config } from '../../../kernel/config.ts'
import { type Finding, ok, warning } from './finding.ts'

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/** Settings that are valid, and dangerous or forgotten. */
export function settingsFindings(config: Config): Finding[] {
  const { HOST, APP_URL, app_url, TRUSTED_PROXIES, SIGNING_KEY_PREVIOUS } = config
  const found: Finding[] = []
  const isOpen = !LOOPBACK.includes(HOST)
  if (isOpen && !app_url.startsWith('https:'))
    found.push(
      warning(
        'endereço',
        `senhas atravessam a rede sem criptografia (${app_url})`,
        'ponha um proxy com TLS à frente e defina APP_URL=https://…; veja docs/operating.md, «Behind a proxy»',
      ),
    )
  else if (isOpen && TRUSTED_PROXIES.join() === 'loopback')
    found.push(
      warning(
        'endereço',
        'nenhum proxy fora desta máquina é reconhecido: todos teriam o endereço dele',
        'defina TRUSTED_PROXIES com o endereço do proxy, ou none quando não há',
      ),
    )
  else found.push(ok('endereço', APP_URL ?? app_url))
  if (SIGNING_KEY_PREVIOUS.length > 0)
    found.push(
      warning(
        'chave',
        'a chave anterior ainda é aceita',
        'uma hora depois da troca: npm run worker -- trocar-chave --esquecer-anterior',
      ),
    )
  return found
}
