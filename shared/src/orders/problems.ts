import type { StatusChange } from './schema.ts'

const PROBLEMS_PREFIX = 'Problemas na validação: '

/** The refusal that lists the problems of a completion, which may then be confirmed (D-10). */
export const problemsText = (problems: readonly string[]) => `${PROBLEMS_PREFIX}${problems.join('; ')}.`

/** The problems listed in that refusal; null for any other detail. */
export const problemsIn = (detail: unknown): string[] | null =>
  typeof detail === 'string' && detail.startsWith(PROBLEMS_PREFIX)
    ? detail.slice(PROBLEMS_PREFIX.length).replace(/\.$/, '').split('; ')
    : null

/** The screens do not complete an order with problems without it; over REST it stays optional, as specified. */
export const REASON_TO_ACCEPT = 'Informe o motivo para concluir com pendências'
export const saysWhyAccepted = ({
  accepts_problems,
  reason,
}: Pick<StatusChange, 'accepts_problems' | 'reason'>) => !accepts_problems || Boolean(reason)
