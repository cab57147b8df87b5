import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const UNPACKED = fileURLToPath(new URL('../.artifacts/programs', import.meta.url))

export interface SystemProgram {
  path: string
  env: NodeJS.ProcessEnv
}

/**
 * A server program of the system, or else Debian's or Ubuntu's package of it, unpacked beside the tests. It is not
 * installed: a package with a service would start it on all addresses, now and at each boot.
 */
export async function findProgram(name: string, packages = [name]): Promise<SystemProgram> {
  const dir = join(UNPACKED, name)
  const inPackage = ['usr/sbin', 'usr/bin'].map((folder) => join(dir, folder, name))
  const usual = [name, `/usr/sbin/${name}`, `/usr/local/bin/${name}`, ...inPackage]
  for (const path of usual) if (await answers({ path, env: process.env })) return { path, env: process.env }
  await unpack(dir, async (work, options) => {
    for (const one of packages) if (await withLibraries(work, one, options)) return true
    return false
  })
  const path = inPackage.find(existsSync)
  // The libraries it needs come with it, in case the machine lacks one.
  for (const env of [process.env, { ...process.env, LD_LIBRARY_PATH: await libraryPath(dir) }])
    if (path && (await answers({ path, env }))) return { path, env }
  throw new Error(`Este teste precisa do ${name}. Instale-o; no Debian e no Ubuntu o apt o traz por si.`)
}

/** The folder of packages that are no single program, with all that they need and the machine lacks; not installed. */
export async function unpackedPackages(name: string, packages: readonly string[]) {
  const dir = join(UNPACKED, name)
  if (!existsSync(dir))
    await unpack(dir, async (work, options) => {
      const what = ['install', '-s', '--no-install-recommends', ...packages]
      const { stdout } = await execute('apt-get', [...options, ...what])
      return download(
        work,
        [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, one = '']) => one),
        options,
      )
    })
  if (existsSync(dir)) return dir
  throw new Error(`Este teste precisa de ${packages.join(', ')}; no Debian e no Ubuntu o apt os traz por si.`)
}

/** nginx answers to -v only, Caddy to version only. */
const answers = ({ path, env }: SystemProgram) =>
  Promise.any([['-v'], ['version']].map((args) => execute(path, args, { env }))).then(
    () => true,
    () => false,
  )

async function libraryPath(dir: string) {
  const folders = ['lib', 'usr/lib'].map(async (folder) => {
    const names = await readdir(join(dir, folder)).catch(() => [])
    return names.map((architecture) => join(dir, folder, architecture))
  })
  return (await Promise.all(folders)).flat().join(':')
}

/** Moves what was downloaded to `dir`; with package lists of its own if it has to. */
async function unpack(
  dir: string,
  downloaded: (work: string, options: readonly string[]) => Promise<boolean>,
) {
  mkdirSync(UNPACKED, { recursive: true })
  const work = mkdtempSync(`${dir}-`)
  try {
    const own = { lists: join(work, 'lists'), cache: join(work, 'cache') }
    for (const folder of Object.values(own)) mkdirSync(join(folder, 'partial'), { recursive: true })
    const ownLists = ['-o', `Dir::State::lists=${own.lists}`, '-o', `Dir::Cache=${own.cache}`]
    for (const options of [[], ownLists]) {
      if (options.length > 0) await execute('apt-get', [...options, 'update', '-qq'])
      if (await downloaded(work, options).catch(() => false)) return renameSync(`${work}/root`, dir)
    }
  } catch {
    // No apt, no network: the caller says what is missing.
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function withLibraries(work: string, name: string, options: readonly string[]) {
  try {
    const { stdout } = await execute('apt-cache', [...options, 'depends', '--important', name])
    const libraries = [...stdout.matchAll(/Depends: (lib\S+)/g)].map(([, library = '']) => library)
    return await download(work, [name, ...libraries.filter((library) => library !== 'libc6')], options)
  } catch {
    return false
  }
}

/** Unpacks packages below `work`/root. */
async function download(work: string, packages: readonly string[], options: readonly string[]) {
  await execute('apt-get', [...options, 'download', '-qq', ...packages], { cwd: work })
  const found = (await readdir(work)).filter((file) => file.endsWith('.deb'))
  for (const file of found) await execute('dpkg-deb', ['-x', join(work, file), join(work, 'root')])
  return true
}
