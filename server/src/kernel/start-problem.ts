import { isConnectionLoss } from './connection-loss.ts'
import { StorageFault } from './storage/storage.ts'

/** A reason not to start that the operator can act on: printed without a stack. */
export class StartProblem extends Error {}

/** One that passes without the operator: whoever started the program is to start it again. */
export class PassingStartProblem extends StartProblem {}

/** Exit code of a start that was refused for such a reason. */
export const EXIT_START = 2

const OF_DATABASE: Record<string, string> = {
  '28P01': 'recusou a senha: corrija a conta e a senha em DATABASE_URL',
  '28000': 'recusou a conta: corrija DATABASE_URL, ou permita-a em pg_hba.conf',
  '3D000': 'não tem esse banco: crie-o (createdb), ou corrija DATABASE_URL',
  '42501':
    'não deixa esta conta migrar o banco: ponha o dono do banco em DATABASE_URL, ou em MIGRATION_DATABASE_URL ao lado',
  '25006':
    'só aceita leituras: aponte DATABASE_URL para o servidor principal, ou desligue default_transaction_read_only',
  '53100': 'está sem espaço em disco: libere espaço no disco do banco e inicie de novo',
  '53300': 'não tem mais conexões livres: aumente max_connections, ou pare um servidor ou worker',
}
const OF_FOLDER: Record<string, string> = {
  ENOTDIR: 'no caminho há um arquivo, não uma pasta: aponte DATA_DIR para outra',
  EACCES: 'esta conta não pode gravar ali: inicie como o dono da pasta, ou aponte DATA_DIR para outra',
  EPERM: 'esta conta não pode gravar ali: inicie como o dono da pasta, ou aponte DATA_DIR para outra',
  EROFS: 'o disco só aceita leituras: monte-o para gravar, ou aponte DATA_DIR para outra pasta',
  ENOSPC: 'o disco está cheio: libere espaço e inicie de novo',
  EDQUOT: 'a cota do disco acabou: libere espaço e inicie de novo',
}

/** The sentence for the operator that an error at the start stands for; undefined for an error of the program. */
export function startProblemFrom(error: unknown): StartProblem | undefined {
  if (error instanceof StartProblem) return error
  if (!(error instanceof Error)) return undefined
  if (error instanceof StorageFault) return new StartProblem(`${error.message} Corrija-o e inicie de novo.`)
  const {
    code = '',
    path,
    syscall,
    address,
    port,
  } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code in OF_DATABASE) return problemOf(error, `O PostgreSQL ${OF_DATABASE[code]} (${error.message}).`)
  if (syscall === 'listen')
    return new StartProblem(
      `Não é possível atender em ${address}:${port} (${code}): confira HOST e PORT, ou pare quem usa a porta.`,
    )
  if (path && code in OF_FOLDER) return new StartProblem(`Não é possível usar ${path}: ${OF_FOLDER[code]}.`)
  return error.cause === undefined ? undefined : startProblemFrom(error.cause)
}

/** The sentence as a problem of the kind that its error is of. */
export const problemOf = (error: unknown, sentence: string) =>
  error instanceof Error && isConnectionLoss(error)
    ? new PassingStartProblem(sentence)
    : new StartProblem(sentence)

/** The sentence for an error of a database that ends while a program starts. */
const endedMeanwhile = (error: unknown) =>
  error instanceof Error && isConnectionLoss(error)
    ? new PassingStartProblem(
        `O PostgreSQL deixou de responder durante o início (${error.message}): inicie de novo quando ele atender.`,
      )
    : undefined

/**
 * Runs a program's start. What the operator can mend ends it with a sentence and exit code 2, what passes by itself
 * with a sentence and 1, and all else with a stack and 1.
 */
export async function startOrExplain<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const problem = startProblemFrom(error) ?? endedMeanwhile(error)
    process.stderr.write(`${problem?.message ?? (error instanceof Error ? error.stack : error)}\n`)
    process.exit(problem && !(problem instanceof PassingStartProblem) ? EXIT_START : 1)
  }
}
