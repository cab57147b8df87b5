import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Drawing, Reply, Request } from './drawing/drawing-worker.ts'

export interface DrawingProcess {
  draw(path: string, drawing: Drawing): Promise<void>
  close(): void
}

/** Starts the child process that draws the pictures, videos and documents of a demonstration. */
export function startDrawingProcess(): DrawingProcess {
  const child = fork(fileURLToPath(new URL('./drawing/drawing-worker.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const pending = new Map<number, PromiseWithResolvers<void>>()
  let last = 0
  child.on('message', ({ id, error }: Reply) => {
    if (error) pending.get(id)?.reject(new Error(error))
    else pending.get(id)?.resolve()
    pending.delete(id)
  })
  child.on('exit', (code) => {
    for (const { reject } of pending.values()) reject(new Error(`the studio ended with ${code}`))
    pending.clear()
  })
  return {
    draw(path, drawing) {
      const answer = Promise.withResolvers<void>()
      const id = ++last
      pending.set(id, answer)
      child.send({ id, path, drawing } satisfies Request, (error) => error && answer.reject(error))
      return answer.promise
    },
    close: () => child.disconnect(),
  }
}
