const OPENING = 'Problemas na validação: '

/** The refusal that shows what stands against completing, and asks to be told once more (D-10). */
export const problemsText = (problems: readonly string[]) => `${OPENING}${problems.join('; ')}.`

/** The problems out of that refusal; null when a detail is about something else. */
export const problemsIn = (detail: unknown): string[] | null =>
  typeof detail === 'string' && detail.startsWith(OPENING)
    ? detail.slice(OPENING.length).replace(/\.$/, '').split('; ')
    : null
