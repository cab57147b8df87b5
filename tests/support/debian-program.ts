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
  await unpack(dir, packages)
  const path = inPackage.find(existsSync)
  // The libraries it needs come with it, in case the machine lacks one.
  for (const env of [process.env, { ...process.env, LD_LIBRARY_PATH: await libraryPath(dir) }])
    if (path && (await answers({ path, env }))) return { path, env }
  throw new Error(`Este teste precisa do ${name}. Instale-o; no Debian e no Ubuntu o apt o traz por si.`)
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

/** Downloads the first of the packages that exists, with its libraries; package lists of its own if it has to. */
async function unpack(dir: string, packages: readonly string[]) {
  mkdirSync(UNPACKED, { recursive: true })
  const work = mkdtempSync(`${dir}-`)
  try {
    const own = { lists: join(work, 'lists'), cache: join(work, 'cache') }
    for (const folder of Object.values(own)) mkdirSync(join(folder, 'partial'), { recursive: true })
    const ownLists = ['-o', `Dir::State::lists=${own.lists}`, '-o', `Dir::Cache=${own.cache}`]
    for (const options of [[], ownLists]) {
      if (options.length > 0) await execute('apt-get', [...options, 'update', '-qq'])
      for (const name of packages)
        if (await download(work, name, options)) return renameSync(`${work}/root`, dir)
    }
  } catch {
    // No apt, no network: the caller says what is missing.
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function download(work: string, name: string, options: readonly string[]) {
  try {
    const { stdout } = await execute('apt-cache', [...options, 'depends', '--important', name])
    const libraries = [...stdout.matchAll(/Depends: (lib\S+)/g)].map(([, library = '']) => library)
    const wanted = [name, ...libraries.filter((library) => library !== 'libc6')]
    await execute('apt-get', [...options, 'download', '-qq', ...wanted], { cwd: work })
    const found = (await readdir(work)).filter((file) => file.endsWith('.deb'))
    for (const file of found) await execute('dpkg-deb', ['-x', join(work, file), join(work, 'root')])
    return true
  } catch {
    return false
  }
}
