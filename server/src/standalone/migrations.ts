import { spawn } from 'node:child_process'
import type { Account } from './account.ts'
import { begunAs } from './privileges.ts'
import { StartProblem } from './problem.ts'

interface Migrating {
  script: string
  account: Account | undefined
  env: NodeJS.ProcessEnv
  owner_url: string | undefined
}

/**
 * Migrates as the owner of the database, in a process that ends before the server starts. With one role only nothing is
 * done: the server migrates. Throws StartProblem when it fails; the reason is on the terminal by then.
 */
export function runMigrations({ script, account, env, owner_url }: Migrating) {
  if (owner_url === undefined) return Promise.resolve()
  const child = spawn(process.execPath, [...begunAs(account), script], {
    env: { ...env, MIGRATION_DATABASE_URL: owner_url },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, by) =>
      code === 0
        ? resolve()
        : reject(
            new StartProblem(
              `O banco não pôde ser migrado (${by ?? `código ${code}`}); o motivo está acima.`,
            ),
          ),
    )
  })
}
