import { Worker } from 'node:worker_threads'
import { CannotConvert } from './refusal.ts'

/** What a thread of ours may say: how far it is, or how it ended. */
export type ThreadMessage<T> = { percent: number } | { result: T } | { refusal: string } | { error: string }

/**
 * Runs one of our thread entries. Decoders that block and libraries that believe their input stay off the
 * event loop there, and die with their thread when the job is aborted or takes too long.
 */
export function inThread<T>(
  entry: URL,
  data: object,
  signal: AbortSignal,
  onPercent?: (percent: number) => void,
) {
  signal.throwIfAborted()
  const thread = new Worker(entry, { workerData: data, execArgv: [], stdout: true, stderr: true })
  return new Promise<T>((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      thread.removeAllListeners()
      thread.on('error', () => undefined)
      void thread.terminate().then(settle, settle)
    }
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    thread.on('message', (word: ThreadMessage<T>) => {
      if ('percent' in word) onPercent?.(word.percent)
      else if ('result' in word) end(() => resolve(word.result))
      else if ('refusal' in word) end(() => reject(new CannotConvert(word.refusal)))
      else end(() => reject(new Error(word.error)))
    })
    thread.on('error', (error) => end(() => reject(error)))
    thread.on('exit', (code) => end(() => reject(new Error(`Thread ended early with code ${code}`))))
  })
}
