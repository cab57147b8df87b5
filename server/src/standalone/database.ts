import { setTimeout as sleep } from 'node:timers/promises'
import { checkDatabase } from '../kernel/check-database.ts'
import { startPostgres } from './postgres.ts'

export type StandaloneDatabase = {
  url: () => string
  /** Of the owner, who migrates; undefined when there is one role only. */
  owner_url: () => string | undefined
  close: () => Promise<void>
}

type EmbeddedOptions = { dir: string; secrets: string; say: (line: string) => void; onMoved: () => void }

const PAUSE_MS = 2_000

/** The operator's own PostgreSQL (DATABASE_URL, MIGRATION_DATABASE_URL). Throws StartProblem when it cannot be used. */
export async function externalDatabase(
  url: string,
  owner_url: string | undefined,
  say: (line: string) => void,
): Promise<StandaloneDatabase> {
  await checkDatabase(url, say)
  return { url: () => url, owner_url: () => owner_url, close: async () => {} }
}

/** The embedded PostgreSQL, restarted whenever it ends. `onMoved` is called when its address has changed. */
export async function embeddedDatabase({
  dir,
  secrets,
  say,
  onMoved,
}: EmbeddedOptions): Promise<StandaloneDatabase> {
  const start = () => startPostgres({ dir, secrets })
  let current = await start()
  let closing = false

  const watched = (async () => {
    while (!closing) {
      await current.ended
      if (closing) return
      say('Banco de dados: parou; iniciando de novo.')
      try {
        const before = current.url
        current = await start()
        if (current.url !== before) onMoved()
      } catch (error) {
        say(`Banco de dados: ${error instanceof Error ? error.message : error}`)
        await sleep(PAUSE_MS)
      }
    }
  })()

  return {
    url: () => current.url,
    owner_url: () => current.owner_url,
    async close() {
      closing = true
      await current.stop()
      await watched
      await current.stop()
    },
  }
}
