import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { startPostgres } from '@garantia/server/postgres'
import { temporaryFolder } from './temporary-folder.ts'

// A process between the tests and their PostgreSQL: however the tests end, kill -9 included, its IPC channel
// closes, and it stops their processes and removes their files.
const dir = temporaryFolder('testes')
/** Open to all accounts, under which the product runs in its tests, and short: on macOS a path has 103 bytes at most. */
const socketDir = `${dir}/socket`
const hasSocket = process.platform !== 'win32' && socketDir.length <= 80
if (hasSocket) {
  mkdirSync(socketDir)
  chmodSync(socketDir, 0o1777)
}
const started = startPostgres({
  dir: `${dir}/postgres`,
  fsync: false,
  ...(hasSocket && { socketDir }),
})

async function end() {
  try {
    await (await started).stop()
    for (const pid of stillIn(dir)) process.kill(pid, 'SIGKILL')
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    process.exit()
  }
}

/** Processes of an aborted test that still run in its folder: another PostgreSQL. */
function stillIn(folder: string) {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, end)

const { admin_url, owner_url, url } = await started
process.send?.({ admin_url, owner_url, url, dir })
