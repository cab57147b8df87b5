import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import ffmpeg from 'fluent-ffmpeg'
import type { Binaries } from './binaries.ts'
import { videoUnreadable } from './refusal.ts'

export interface VideoTools extends Binaries {
  threads: number
}

export interface FfmpegTask {
  input: string
  /** Flags before the input, its guard among them. */
  input_options: readonly string[]
  /** Flags of the output, `-f` among them. */
  output_options: readonly string[]
  output: string
  /** Of the input, in seconds, for the percent; null when unknown. */
  duration: number | null
  /** Ends a run that writes more than this: the file lied about its length. */
  most_bytes: number
  signal: AbortSignal
  onPercent?: (percent: number) => void
}

/** The worker shares its machine with the server that answers people. */
const NICENESS = 5

/**
 * Runs ffmpeg once and answers the seconds it has written. The only place that knows fluent-ffmpeg: the
 * library is no longer maintained, and a spawn could take its place here.
 */
export function runFfmpeg(tools: VideoTools, task: FfmpegTask): Promise<number> {
  task.signal.throwIfAborted()
  const command = ffmpeg({ niceness: NICENESS })
    .input(task.input)
    .inputOptions(...task.input_options, '-threads', String(tools.threads))
    .outputOptions(...task.output_options, '-threads', String(tools.threads))
    .outputOptions('-nostdin', '-hide_banner', '-loglevel', 'error', '-stats')
    .output(task.output)
  overrideFluentDefaults(command, tools, task.duration)

  return new Promise((resolve, reject) => {
    let seconds = 0
    let excessive = false
    const kill = () => command.kill('SIGKILL')
    const removeAbortListener = () => task.signal.removeEventListener('abort', kill)

    command
      .on('start', () => {
        if (task.signal.aborted) kill()
      })
      .on('progress', ({ percent, timemark, targetSize }) => {
        seconds = Math.max(seconds, secondsOf(timemark))
        if (targetSize * 1000 > task.most_bytes) {
          excessive = true
          kill()
        }
        if (percent !== undefined && percent >= 0) task.onPercent?.(Math.min(100, percent))
      })
      .on('error', (error, _stdout, stderr) => {
        removeAbortListener()
        if (task.signal.aborted) reject(task.signal.reason)
        else failure(error, stderr, excessive, task.output).then(reject, reject)
      })
      .on('end', () => {
        removeAbortListener()
        resolve(seconds)
      })
    task.signal.addEventListener('abort', kill, { once: true })
    command.run()
  })
}

/**
 * Takes fluent's own ideas away: it would probe the input without our guard to know its length, look the
 * binaries up in a cache of the whole process, and list codecs in a format that ffmpeg 7 no longer prints.
 */
function overrideFluentDefaults(command: ffmpeg.FfmpegCommand, tools: VideoTools, duration: number | null) {
  const [program, ...before] = [...tools.parentDeathCommand, tools.ffmpeg]
  const written = command._getArguments.bind(command)
  Object.assign(command, {
    ffprobe: (_input: number, done: Done<object>) =>
      done(null, { format: { duration: duration ?? undefined } }),
    availableEncoders: (done: Done<object>) => done(null, {}),
    _checkCapabilities: (done: Done<void>) => done(null),
    _getFfmpegPath: (done: Done<string>) => done(null, program),
    _getArguments: () => [...before, ...written()],
  })
}
type Done<T> = (error: null, value?: T) => void

const secondsOf = (timemark: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = timemark.split(':').map(Number)
  const total = hours * 3600 + minutes * 60 + seconds
  return Number.isFinite(total) ? total : 0
}

/** ffmpeg that dies of the machine may be tried again; ffmpeg that dies of the file may not. */
async function failure(error: Error, stderr: string | null, excessive: boolean, output: string) {
  const cause = new Error([error.message, stderr].filter(Boolean).join('\n'), { cause: error })
  if (excessive) return videoUnreadable(cause)
  const killed = /killed with signal (\w+)/.exec(error.message)?.[1]
  if (killed) return CRASHES.has(killed) ? videoUnreadable(cause) : cause
  if (!/ffmpeg exited with code/.test(error.message) || MACHINE.test(stderr ?? '')) return cause
  if (await isFull(dirname(output))) return cause
  return videoUnreadable(cause)
}
const CRASHES = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGBUS'])
const MACHINE =
  /No space left|could not be written|Disk quota|Cannot allocate memory|Resource temporarily|Too many open files|Permission denied|No such file/

/** x264 loses its statistics to a full disk without saying why. */
async function isFull(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < 8_000_000
}
