import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Drawing, Reply, Request } from './drawing/studio.ts'

export interface Studio {
  draw(path: string, drawing: Drawing): Promise<void>
  close(): void
}

/** The process that draws the pictures, films and papers of a demonstration. */
export function openStudio(): Studio {
  const child = fork(fileURLToPath(new URL('./drawing/studio.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let last = 0
  child.on('message', ({ id, error }: Reply) => {
    if (error) waiting.get(id)?.reject(new Error(error))
    else waiting.get(id)?.resolve()
    waiting.delete(id)
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the studio ended with ${code}`))
    waiting.clear()
  })
  return {
    draw(path, drawing) {
      const answer = Promise.withResolvers<void>()
      const id = ++last
      waiting.set(id, answer)
      child.send({ id, path, drawing } satisfies Request, (error) => error && answer.reject(error))
      return answer.promise
    },
    close: () => child.disconnect(),
  }
}
