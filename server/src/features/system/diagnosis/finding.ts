import { startProblemFrom } from '../../../kernel/start-problem.ts'

/** `fault`: something does not work. `warning`: it works, and may not for long, or not for everybody. */
export type Level = 'ok' | 'warning' | 'fault'

export interface Finding {
  /** What was looked at. */
  subject: string
  level: Level
  text: string
  /** The command or setting that mends it; absent when nothing has to be mended. */
  advice?: string
}

export const ok = (subject: string, text: string): Finding => ({ subject, level: 'ok', text })
export const warning = (subject: string, text: string, advice: string): Finding => ({
  subject,
  level: 'warning',
  text,
  advice,
})
export const fault = (subject: string, text: string, advice: string): Finding => ({
  subject,
  level: 'fault',
  text,
  advice,
})

const LONGEST_MS = 10_000

/** The findings of a check; one that fails, or does not end in ten seconds, is a finding itself. */
export async function examine(
  subject: string,
  check: () => Promise<Finding[]>,
  advice: string,
): Promise<Finding[]> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('não respondeu em dez segundos')), LONGEST_MS)
  try {
    return await Promise.race([check(), late.promise])
  } catch (error) {
    const known = startProblemFrom(error)
    return [fault(subject, known?.message ?? `não respondeu como esperado: ${reasonOf(error)}`, advice)]
  } finally {
    clearTimeout(timer)
  }
}

/** A failed connection to all addresses of a name has its message in its parts only. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message || error.name : String(error)
}
