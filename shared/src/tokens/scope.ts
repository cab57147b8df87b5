/** What an API token may do at most, besides what its owner may: each includes the one before. */
export const TOKEN_SCOPES = ['read', 'evidence', 'all'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const TOKEN_SCOPE_LABEL: Record<TokenScope, string> = {
  read: 'Somente leitura',
  evidence: 'Evidências e conversão',
  all: 'Tudo o que você pode, menos contas',
}
