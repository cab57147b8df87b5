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
  /** Flags before the input, those of untrustedInputFlags included. */
  input_options: readonly string[]
  /** Output flags, `-f` included. */
  output_options: readonly string[]
  output: string
  /** Of the input, in seconds, needed for the percentage; null when unknown. */
  duration: number | null
  /** Bytes; a run that writes more is killed, as the file's declared duration was wrong. */
  most_bytes: number
  signal: AbortSignal
  /** Receives 0–100. */
  onPercent?: (percent: number) => void
}

/** ffmpeg runs at lower priority: the worker shares its machine with the web server. */
const NICENESS = 5

/**
 * Runs ffmpeg once and returns the seconds written. Rejects with the abort reason, with CannotConvert when
 * the file is the cause, or with a plain Error, worth a retry, when the machine is. The only place that uses
 * fluent-ffmpeg: the library is no longer maintained and could be replaced by a spawn here.
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
 * Disables defaults of fluent-ffmpeg: it would probe the input without our flags to learn its duration, look
 * the binaries up in a process-wide cache, and parse a codec list in a format that ffmpeg 7 no longer prints.
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

/**
 * A failure of the machine is returned as a plain Error (retried), one of the file as CannotConvert (final).
 */
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

/** x264 loses its statistics on a full disk without saying why; below 8 MB free the disk counts as full. */
async function isFull(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < 8_000_000
}
