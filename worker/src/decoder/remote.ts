import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ISOLATIONS } from '@garantia/shared/isolation'
import { z } from 'zod'
import { tooDemanding } from '../media/refusal.ts'
import { errorOf, readAnswers } from './answers.ts'
import { COSTS } from './costs.ts'
import type { DecoderHost, Place } from './place.ts'

/** Header with the name of the process that was started. */
export const PROCESS_HEADER = 'x-process'
const facts = z.object({ isolation: z.enum(ISOLATIONS) })
/** Silence after which a request is given up, but for the one that waits for the work itself. */
const SILENCE_MS = 60_000
const LONGEST_TEXT = 1_000
/** A connection for each request: the service may end at any moment. */
const agent = new Agent({ keepAlive: false })

/**
 * Decoding processes in the container that listens on this socket (service.ts). Nothing that it says is trusted. Without
 * it, and when it ends, calls fail with a plain Error, worth a retry.
 */
export function remoteHost(socketPath: string): DecoderHost {
  async function send(options: RequestOptions, body?: Readable | string) {
    const asked = request({ socketPath, agent, timeout: SILENCE_MS, ...options })
    asked.on('timeout', () => asked.destroy(new Error('The container that decodes does not answer')))
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>
    answered.catch(() => undefined)
    // One after the answer has begun is the answer's too.
    asked.on('error', () => undefined)
    if (typeof body === 'object') await pipeline(body, asked)
    else asked.end(body)
    const [answer] = await answered
    const { statusCode = 0 } = answer
    if (statusCode < 400) return answer
    throw new Error(`The container that decodes answered ${statusCode}: ${await beginningOf(answer)}`)
  }

  return {
    isolation: async () => facts.parse(JSON.parse(await beginningOf(await send({ path: '/' })))).isolation,
    async start(kind) {
      const held = await send({ method: 'POST', path: `/${kind}` })
      let isAlive = true
      held.once('close', () => {
        isAlive = false
      })
      held.on('error', () => undefined).resume()
      held.setTimeout(0)
      const at = (name: string) => `/${held.headers[PROCESS_HEADER]}/${name}`
      const call = async (options: RequestOptions, body?: Readable | string) => {
        const answer = await send(options, body)
        answer.resume()
        return answer.statusCode
      }
      const end = async () => {
        isAlive = false
        held.destroy()
      }
      const place: Place = {
        isAlive: () => isAlive,
        put: async (name, path) => {
          await call({ method: 'PUT', path: at(name) }, createReadStream(path))
        },
        remove: async (name) => {
          await call({ method: 'DELETE', path: at(name) })
        },
        async ask({ request, signal, longest_ms, onPercent }) {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(longest_ms)])
          try {
            limit.throwIfAborted()
            const answers = await send(
              { method: 'POST', path: at(''), signal: limit, timeout: 0 },
              JSON.stringify(request),
            )
            return await resultOf(answers, onPercent)
          } catch (error) {
            if (!limit.aborted) throw error
            await end()
            throw signal.aborted ? signal.reason : tooDemanding(error)
          }
        },
        async take(name, path) {
          const to = createWriteStream(path, { flags: 'wx', mode: 0o600 })
          await pipeline(await send({ path: at(name) }), upTo(COSTS[kind].file), to)
          return to.bytesWritten
        },
        empty: () =>
          call({ method: 'DELETE', path: at('') }).then(
            (status) => status === 204,
            () => false,
          ),
        end,
      }
      return place
    },
  }
}

const resultOf = (answers: IncomingMessage, onPercent: (percent: number) => void) =>
  new Promise<unknown>((resolve, reject) => {
    readAnswers(answers, (answer) => {
      if (!answer) return answers.destroy(new Error('The container that decodes gave a malformed answer'))
      if ('percent' in answer) return onPercent(answer.percent)
      const error = errorOf(answer)
      if (error) reject(error)
      else resolve('result' in answer && answer.result)
    })
    answers.once('error', reject)
    answers.once('close', () => reject(new Error('The container that decodes ended the connection')))
  })

/** A short text; what is longer is not read. */
async function beginningOf(answer: IncomingMessage) {
  let text = ''
  for await (const part of answer.setEncoding('utf8')) {
    text += part
    if (text.length > LONGEST_TEXT) break
  }
  return text.slice(0, LONGEST_TEXT)
}

/** Passes bytes on, and throws beyond this many: the process's own limit is not relied on. */
const upTo = (most: number) =>
  async function* (content: AsyncIterable<Buffer>) {
    let bytes = 0
    for await (const part of content) {
      bytes += part.length
      if (bytes > most) throw new Error('The container that decodes sent a file beyond its limit')
      yield part
    }
  }
