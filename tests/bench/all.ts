import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** One after the other: each needs the machine for itself. */
for (const name of ['orders-list', 'palette', 'upload', 'zip', 'conversion']) {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const { status } = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
