import { type Ctx, openKernel, openLog, readConfig } from '@garantia/server/kernel'
import { Option } from 'commander'

/** Exit codes a script may rely on. */
export const EXIT = { done: 0, failed: 1, usage: 2, nothing: 3, found: 4 } as const
type Exit = (typeof EXIT)[keyof typeof EXIT]

interface CommandResult {
  /** What `--json` prints. */
  data: unknown
  /** What a person reads. */
  lines: string[]
  exit?: Exit
}
export const jsonOption = new Option('--json', 'responder em JSON')

/** Runs one command's work on the product's own database and storage, and says what came of it. */
export async function runCommand(
  { json = false }: { json?: boolean },
  work: (ctx: Ctx) => Promise<CommandResult>,
) {
  const kernel = await openKernel(readConfig(), openLog('warn', 'operador', process.stderr), {
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
