import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'
import type { HeicRequest } from './heic.ts'
import { imageDamaged } from './refusal.ts'
import type { ThreadMessage } from './thread.ts'
import { writeTiff } from './tiff.ts'

const { path, to, profile }: HeicRequest = workerData
const post = (message: ThreadMessage<true>) => parentPort?.postMessage(message)

try {
  const buffer = readFileSync(path)
  const picture = await decode({ buffer }).catch((error: unknown) => {
    throw imageDamaged(error)
  })
  writeTiff(to, picture, profile)
  post({ result: true })
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  post(error instanceof Error && error.name === 'CannotConvert' ? { refusal: text } : { error: text })
}
