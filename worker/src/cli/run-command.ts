import { type Ctx, openKernel, openLog, readConfig } from '@garantia/server/kernel'
import { InvalidArgumentError, Option } from 'commander'

/** Exit codes; scripts rely on them. */
export const EXIT = { done: 0, failed: 1, usage: 2, nothing: 3, found: 4 } as const
type Exit = (typeof EXIT)[keyof typeof EXIT]

interface CommandResult {
  /** Printed with `--json`. */
  data: unknown
  /** Printed without `--json`, for people. */
  lines: string[]
  exit?: Exit
}
export const jsonOption = new Option('--json', 'responder em JSON')

/** Runs one command on the installation's database and storage, prints its result and sets the exit code. */
export async function runCommand(
  { json = false }: { json?: boolean },
  work: (ctx: Ctx) => Promise<CommandResult>,
) {
  const kernel = await openKernel(readConfig(), openLog('warn', 'operador', process.stderr), {
    role: 'operador',
    connections: 2,
  })
  try {
    const { data, lines, exit = EXIT.done } = await work(kernel.ctx)
    process.stdout.write(json ? `${JSON.stringify(data)}\n` : `${lines.join('\n')}\n`)
    process.exitCode = exit
  } finally {
    await kernel.close()
  }
}

/** Parses an option that is a whole number from 1 on; anything else is an error of usage. */
export function positive(text: string) {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('deve ser um número inteiro positivo')
  return Number(text)
}
