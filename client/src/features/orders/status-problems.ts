const PREFIX = 'Problemas na validação: '

/** What stands against completing, out of the refusal that asks to be told once more (D-10). */
export const problemsIn = (detail: unknown): string[] | null =>
  typeof detail === 'string' && detail.startsWith(PREFIX)
    ? detail.slice(PREFIX.length).replace(/\.$/, '').split('; ')
    : null
