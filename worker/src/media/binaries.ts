import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { videosUnsupported } from './refusal.ts'

const execute = promisify(execFile)

export interface BinaryPaths {
  ffmpeg_path?: string
  ffprobe_path?: string
}

/** The paths of an environment that names them. */
export const binaryPathsOf = (config: {
  FFMPEG_PATH?: string | undefined
  FFPROBE_PATH?: string | undefined
}): BinaryPaths => ({
  ...(config.FFMPEG_PATH && { ffmpeg_path: config.FFMPEG_PATH }),
  ...(config.FFPROBE_PATH && { ffprobe_path: config.FFPROBE_PATH }),
})

export interface Binaries {
  ffmpeg: string
  ffprobe: string
  /**
   * Command prefix that makes the kernel kill ffmpeg when the worker dies; empty where setpriv is missing.
   */
  parentDeathCommand: readonly string[]
}

type Program = 'ffmpeg' | 'ffprobe'

/** The oldest branch that a distribution still mends (Ubuntu 22.04); older ones decode with known holes. */
const OLDEST = [4, 4] as const
/** Builds from git are numbered by commit; this one is of 2022. */
const OLDEST_COMMIT = 106_000

/**
 * Finds ffmpeg and ffprobe: the configured path, else the system's. Throws CannotConvert when there is none, or
 * only one that nobody mends any more, and a plain Error when a configured path cannot be executed.
 */
export async function findBinaries(settings: BinaryPaths): Promise<Binaries> {
  const [ffmpeg, ffprobe, parentDeathCommand] = await Promise.all([
    find('ffmpeg', settings.ffmpeg_path),
    find('ffprobe', settings.ffprobe_path),
    findParentDeathCommand(),
  ])
  return { ffmpeg: ffmpeg.path, ffprobe: ffprobe.path, parentDeathCommand }
}

/** findBinaries once; a failure is not kept. */
export function binariesFinder(settings: BinaryPaths) {
  let found: Promise<Binaries> | undefined
  return () => {
    found ??= findBinaries(settings)
    found.catch(() => {
      found = undefined
    })
    return found
  }
}

/** One line for whoever starts the product: version and path of the ffmpeg that runs, or why none does. */
export async function describeFfmpeg(settings: BinaryPaths): Promise<string> {
  try {
    const { path, version } = await find('ffmpeg', settings.ffmpeg_path)
    return `ffmpeg ${version}: ${path}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The version of the ffmpeg that runs; null when none does. */
export const ffmpegVersion = (settings: BinaryPaths) =>
  find('ffmpeg', settings.ffmpeg_path).then(
    ({ version }) => version,
    () => null,
  )

async function find(program: Program, configured: string | undefined) {
  const places = configured ? [configured] : [program, `/usr/bin/${program}`, `/usr/local/bin/${program}`]
  const outdated: string[] = []
  for (const path of places) {
    const version = await versionOf(path)
    if (version === null) continue
    if (isMaintained(version)) return { path, version }
    outdated.push(`${path} ${version}`)
  }
  if (configured && outdated.length === 0)
    throw new Error(`O ${program} configurado não pôde ser executado: ${configured}`)
  throw videosUnsupported(program, outdated)
}

/** From the first line of `-version`; null when the program cannot be executed. */
const versionOf = (command: string) =>
  execute(command, ['-version'], { timeout: 20_000 }).then(
    ({ stdout }) => /version (\S+)/.exec(stdout)?.[1] ?? '',
    () => null,
  )

/** «5.1.9-0+deb12u1», «n7.1», «N-118448-g43be8d0728», «git-2024-05-01-…» or «2024-05-01-git-…». */
export function isMaintained(version: string) {
  const commit = /^N-(\d+)/.exec(version)?.[1]
  if (commit) return Number(commit) >= OLDEST_COMMIT
  const year = /\b(20\d\d)-\d\d-\d\d/.exec(version)?.[1]
  if (year) return Number(year) >= 2022
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  if (!major) return false
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1])
}

/** Command prefix with which the kernel ends a program when its parent dies, also by kill -9. */
export const DIES_WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL'] as const

/**
 * ffmpeg ignores a broken pipe, so without this it would run on for minutes after a kill -9 of the worker.
 */
async function findParentDeathCommand() {
  const [setpriv, ...flags] = DIES_WITH_PARENT
  const works = await execute(setpriv, [...flags, 'true'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  return works ? DIES_WITH_PARENT : []
}
