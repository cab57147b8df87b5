/** The page of the manual about each screen, by the beginning of its path; the first that fits. */
const PAGE_OF: readonly (readonly [path: string, page: string])[] = [
  ['/dashboard', 'painel'],
  ['/relatorios', 'relatorios'],
  ['/verificar', 'pacote-e-dossie'],
  ['/lista-os', 'lista-de-os'],
  ['/solicitacoes', 'garantia'],
  ['/conciliacao', 'conciliacao'],
  ['/recusas', 'recusas'],
  ['/prazos', 'prazos'],
  ['/nova-os', 'nova-os'],
  ['/os', 'os'],
  ['/fotos', 'fotos-por-link'],
  ['/compartilhar', 'evidencias'],
  ['/importar', 'importacao'],
  ['/brands', 'marcas'],
  ['/companies', 'concessionarias'],
  ['/admin', 'usuarios'],
  ['/lgpd', 'lgpd'],
  ['/settings', 'configuracoes'],
  ['/login', 'entrar'],
  ['/signup', 'entrar'],
  ['/recover-password', 'entrar'],
  ['/reset-password', 'entrar'],
  ['/undo-login', 'entrar'],
]

/**
 * Name of the page of the manual about a screen, the form and the tab of an order included; undefined for the
 * manual itself and for unknown paths.
 */
export function helpPageOf(pathname: string, tab?: string) {
  if (/^\/os\/\d+\/edit$/.test(pathname)) return 'nova-os'
  if (pathname.startsWith('/os/') && tab === 'evidencias') return 'evidencias'
  if (pathname.startsWith('/os/') && tab === 'garantia') return 'garantia'
  return PAGE_OF.find(([path]) => pathname === path || pathname.startsWith(`${path}/`))?.[1]
}
