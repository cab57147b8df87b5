import { hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { HashingAnswer, HashingRequest } from './hashing.ts'

/** The program of the thread of `hashing.ts`. Reads without waiting for others: nothing else runs here. */
parentPort?.on('message', ({ id, files }: HashingRequest) => {
  parentPort?.postMessage(answerTo(id, files))
})

function answerTo(id: number, files: HashingRequest['files']): HashingAnswer {
  try {
    // A byte more than recorded: a longer file shows itself.
    const bytes = Buffer.allocUnsafe(Math.max(0, ...files.map(({ size }) => size)) + 1)
    return { id, hashes: files.map(({ path, size }) => hashOf(path, bytes.subarray(0, size + 1))) }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { id, error: { message, code } }
  }
}

function hashOf(path: string, bytes: Buffer) {
  const file = openIfThere(path)
  if (file === null) return null
  try {
    let used = 0
    for (let read = -1; read !== 0 && used < bytes.length; used += read)
      read = readSync(file, bytes, used, bytes.length - used, used)
    return used === bytes.length - 1 ? hash('sha256', bytes.subarray(0, used)) : null
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string) {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
