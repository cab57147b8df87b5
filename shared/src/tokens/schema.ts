import { z } from 'zod'
import { listOf, text } from '../fields.ts'
import { TOKEN_SCOPES } from './scope.ts'

/** Distinguishes API tokens from session tokens, and lets secret scanners recognise them. */
export const API_TOKEN_PREFIX = 'garantia_'
export const TOKEN_NAME_MAX = 80
export const TOKEN_DAYS_MAX = 365
/** Days of validity offered in the form. */
export const TOKEN_DAYS = [30, 90, 180, TOKEN_DAYS_MAX] as const
export const TOKENS_MAX = 20
export const TOKEN_NETWORKS_MAX = 20

/** One address or a range of them in CIDR notation (RFC 4632), IPv4 or IPv6. */
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Every token expires, so that a forgotten one does not give access for ever. */
export const apiTokenInput = z.object({
  name: text(TOKEN_NAME_MAX).min(1, 'Nome do token é obrigatório'),
  expires_in_days: z
    .number('Validade é obrigatória')
    .int('Use dias inteiros')
    .min(1, 'A validade mínima é de 1 dia')
    .max(TOKEN_DAYS_MAX, `A validade máxima é de ${TOKEN_DAYS_MAX} dias`),
  scope: z.enum(TOKEN_SCOPES, 'Permissão é obrigatória'),
  /** Where it may be used from; anywhere when left out or empty. */
  networks: z
    .array(z.string())
    .max(TOKEN_NETWORKS_MAX, `No máximo ${TOKEN_NETWORKS_MAX} endereços`)
    .refine(
      (all) => all.every((one) => network.safeParse(one).success),
      'Use endereços como 203.0.113.7 ou 203.0.113.0/24',
    )
    .optional(),
})
export type ApiTokenInput = z.output<typeof apiTokenInput>

export const apiTokenView = z.object({
  id: z.number(),
  name: z.string(),
  /** First characters of the token, by which its owner recognises it. */
  prefix: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  networks: z.array(z.string()),
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type ApiTokenView = z.output<typeof apiTokenView>
export const apiTokenList = listOf(apiTokenView)

/** The only response that contains the token itself. */
export const newApiToken = apiTokenView.extend({ token: z.string() })
export type NewApiToken = z.output<typeof newApiToken>
