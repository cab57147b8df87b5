const PROBLEMS_PREFIX = 'Problemas na validação: '

/** The refusal that shows what stands against completing, and asks to be told once more (D-10). */
export const problemsText = (problems: readonly string[]) => `${PROBLEMS_PREFIX}${problems.join('; ')}.`

/** The problems out of that refusal; null when a detail is about something else. */
export const problemsIn = (detail: unknown): string[] | null =>
  typeof detail === 'string' && detail.startsWith(PROBLEMS_PREFIX)
    ? detail.slice(PROBLEMS_PREFIX.length).replace(/\.$/, '').split('; ')
    : null
