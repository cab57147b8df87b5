import { Worker } from 'node:worker_threads'
import { CannotConvert } from './refusal.ts'

/** Messages a worker thread posts: its progress in percent, or how it ended. */
export type ThreadMessage<T> = { percent: number } | { result: T } | { refusal: string } | { error: string }

/**
 * Runs a worker thread entry and resolves with its result. Blocking decoders and libraries that trust their
 * input stay off the event loop there, and the thread is terminated when `signal` aborts. Rejects with the
 * abort reason, with CannotConvert when the thread refuses the file, or with a plain Error.
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
    const end = (complete: () => void) => {
      signal.removeEventListener('abort', abort)
      thread.removeAllListeners()
      thread.on('error', () => undefined)
      void thread.terminate().then(complete, complete)
    }
    const abort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    thread.on('message', (message: ThreadMessage<T>) => {
      if ('percent' in message) onPercent?.(message.percent)
      else if ('result' in message) end(() => resolve(message.result))
      else if ('refusal' in message) end(() => reject(new CannotConvert(message.refusal)))
      else end(() => reject(new Error(message.error)))
    })
    thread.on('error', (error) => end(() => reject(error)))
    thread.on('exit', (code) => end(() => reject(new Error(`Thread ended early with code ${code}`))))
  })
}
