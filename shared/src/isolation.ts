/**
 * What separates a decoding process from the rest of the machine: `isolated` has namespaces of its own (no network,
 * no other process, one writable folder) and limits, `container` limits in a container that has neither secrets nor a
 * network, `limited` has limits and no new privileges, `none` only its empty environment.
 */
export const ISOLATIONS = ['isolated', 'container', 'limited', 'none'] as const
export type Isolation = (typeof ISOLATIONS)[number]

export const ISOLATION_TEXT: Record<Isolation, string> = {
  isolated: 'processos isolados, sem rede e com limites',
  container: 'processos com limites, num contêiner sem rede e sem segredos',
  limited: 'processos com limites, mas sem isolamento (o sistema não cede namespaces)',
  none: 'processos sem isolamento nem limites (faltam setpriv e prlimit)',
}
