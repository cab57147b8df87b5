const PROBLEMS_PREFIX = 'Problemas na validação: '

/** The refusal that lists the problems of a completion, which may then be confirmed (D-10). */
export const problemsText = (problems: readonly string[]) => `${PROBLEMS_PREFIX}${problems.join('; ')}.`

/** The problems listed in that refusal; null for any other detail. */
export const problemsIn = (detail: unknown): string[] | null =>
  typeof detail === 'string' && detail.startsWith(PROBLEMS_PREFIX)
    ? detail.slice(PROBLEMS_PREFIX.length).replace(/\.$/, '').split('; ')
    : null
