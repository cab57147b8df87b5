import { execFile } from 'node:child_process'
import { access, chmod, constants } from 'node:fs/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)

export interface BinaryPaths {
  ffmpeg_path?: string
  ffprobe_path?: string
}

export interface Binaries {
  ffmpeg: string
  ffprobe: string
  /**
   * Command prefix that makes the kernel kill ffmpeg when the worker dies; empty where setpriv is missing.
   */
  parentDeathCommand: readonly string[]
}

type Program = 'ffmpeg' | 'ffprobe'

/**
 * Finds ffmpeg and ffprobe: the configured path, else the system's (it gets security updates), else the
 * packaged one. Throws a plain Error, with a Portuguese message, when one of them cannot be executed.
 */
export async function findBinaries(settings: BinaryPaths): Promise<Binaries> {
  const [ffmpeg, ffprobe, parentDeathCommand] = await Promise.all([
    find('ffmpeg', settings.ffmpeg_path),
    find('ffprobe', settings.ffprobe_path),
    findParentDeathCommand(),
  ])
  return { ffmpeg, ffprobe, parentDeathCommand }
}

/** One line for whoever starts the product: version and path of the ffmpeg that runs, or why none does. */
export async function describeFfmpeg(settings: BinaryPaths): Promise<string> {
  try {
    const path = await find('ffmpeg', settings.ffmpeg_path)
    const { stdout } = await execute(path, ['-version'])
    return `ffmpeg ${/version (\S+)/.exec(stdout)?.[1] ?? '?'}: ${path}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function find(program: Program, configured: string | undefined) {
  if (configured) {
    if (await runs(configured)) return configured
    throw new Error(`O ${program} configurado não pôde ser executado: ${configured}`)
  }
  if (await runs(program)) return program
  const path = await packaged(program)
  if (await runs(path)) return path
  throw new Error(`O ${program} que acompanha o produto não pôde ser executado: ${path}`)
}

/**
 * Path of the binary in the npm package, made executable. Throws an Error when there is none for this system.
 */
export async function packaged(program: Program) {
  const found =
    program === 'ffmpeg' ? import('@ffmpeg-installer/ffmpeg') : import('@ffprobe-installer/ffprobe')
  const { path } = (
    await found.catch((cause: unknown) => {
      throw new Error(
        `Nenhum ${program} para este sistema: instale o pacote ffmpeg ou configure o caminho.`,
        { cause },
      )
    })
  ).default
  await makeExecutable(path)
  return path
}

const runs = (command: string) =>
  execute(command, ['-version'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )

/** npm install without scripts leaves the packaged binaries without their executable bit. */
async function makeExecutable(path: string) {
  const may = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!may) await chmod(path, 0o755).catch(() => undefined)
}

/**
 * ffmpeg ignores a broken pipe, so without this it would run on for minutes after a kill -9 of the worker.
 */
async function findParentDeathCommand() {
  const parentDeathCommand = ['setpriv', '--pdeathsig', 'KILL']
  const works = await execute('setpriv', [...parentDeathCommand.slice(1), 'true'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  return works ? parentDeathCommand : []
}
