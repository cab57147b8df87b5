import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { OUT_OF_MEMORY, tooDemanding } from '../media/refusal.ts'
import { lowerPriority } from '../priority.ts'
import { errorOf, readAnswers } from './answers.ts'
import type { DecoderAnswer, DecoderRequest } from './messages.ts'
import { SANDBOX_ENV } from './sandbox.ts'

const ANSWERS = 3
const KEPT_OF_STDERR = 2_000
/** Signals that end a process because of what it did with its file: a fault in a decoder, or a limit. */
const OF_THE_FILE = [
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGTRAP',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
]

export interface DecoderCall<Asked = DecoderRequest> {
  request: Asked
  signal: AbortSignal
  /** Milliseconds after which the process is killed and the file refused. */
  longest_ms: number
  onPercent: (percent: number) => void
}

export type DecoderProcess = ReturnType<typeof startDecoderProcess>

/**
 * Starts the command line of one decoding process; `own` is its home and folder for temporary files. With a priority
 * (of node:os) it and its children run at that one.
 */
export function startDecoderProcess([command = '', ...args]: string[], own: string, priority?: number) {
  const child = spawn(command, args, {
    cwd: own,
    env: {
      ...SANDBOX_ENV,
      HOME: own,
      TMPDIR: own,
    },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  if (priority !== undefined && child.pid !== undefined) lowerPriority(priority, child.pid)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_OF_STDERR)
  })
  child.stdin?.on('error', () => undefined)
  let onAnswer: (answer: DecoderAnswer) => void = () => undefined
  let onEnd: (error: Error) => void = () => undefined
  let ended: Error | undefined
  const end = (error: Error) => {
    ended ??= error
    onEnd(ended)
  }
  const kill = () => child.kill('SIGKILL')
  readAnswers(child.stdio[ANSWERS] as Readable, (answer) => {
    if (answer) return onAnswer(answer)
    end(new Error('A decoding process gave an answer that is none'))
    kill()
  })
  const closed = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      end(error)
      resolve()
    })
    child.once('close', (code, signal) => {
      end(whyEnded(signal ?? signalOf(code), code, stderr))
      resolve()
    })
  })

  return {
    isAlive: () => ended === undefined,
    /** Resolves when the process is gone. */
    closed,
    /** Ends it, also in the middle of its work; resolves when it is gone. */
    async kill() {
      kill()
      await closed
    },
    /**
     * Resolves with what the process answers, unchecked. Rejects with the abort reason, with CannotConvert when
     * it refuses the file or breaks down over it, with ParserFailure when a library failed, or with a plain Error,
     * worth a retry.
     */
    ask({ request, signal, longest_ms, onPercent }: DecoderCall) {
      return new Promise<unknown>((resolve, reject) => {
        if (ended) return reject(ended)
        const finish = (complete: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', abort)
          onAnswer = () => undefined
          onEnd = () => undefined
          complete()
        }
        const stop = (error: unknown) => {
          finish(() => reject(error))
          kill()
        }
        const abort = () => stop(signal.reason)
        const timer = setTimeout(() => stop(tooDemanding()), longest_ms)
        onEnd = (error) => finish(() => reject(error))
        onAnswer = (answer) => {
          if ('percent' in answer) return onPercent(answer.percent)
          const error = errorOf(answer)
          finish(() => (error ? reject(error) : resolve('result' in answer && answer.result)))
        }
        if (signal.aborted) return abort()
        signal.addEventListener('abort', abort, { once: true })
        child.stdin?.write(`${JSON.stringify(request)}\n`)
      })
    },
  }
}

/** The shell that runs it passes on a signal as 128 + its number. */
const signalOf = (code: number | null) =>
  Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]

const whyEnded = (signal: string | undefined, code: number | null, stderr: string) => {
  const how = new Error(`A decoding process ended by itself (${signal ?? code}): ${stderr.trim()}`)
  const isOfTheFile = signal ? OF_THE_FILE.includes(signal) : OUT_OF_MEMORY.test(stderr)
  return isOfTheFile ? tooDemanding(how) : how
}
