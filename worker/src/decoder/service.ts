import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Isolation } from '@garantia/shared/isolation'
import { answerOf } from './answers.ts'
import { COSTS, type Kind } from './costs.ts'
import type { DecoderAnswer, DecoderQuestion } from './messages.ts'
import type { DecoderHost, LocalPlace } from './place.ts'
import { PROCESS_HEADER } from './remote.ts'

interface Service {
  host: Pick<DecoderHost<LocalPlace>, 'start'>
  isolation: Isolation
}

const isKind = (name: string): name is Kind => Object.hasOwn(COSTS, name)
/** Names that the worker gives to originals, and that decoding processes give to what they have made. */
const FILE = /^[a-z]+\d*(\.[a-z0-9]+)+$/

/**
 * Decoding processes for a worker in another container, over HTTP on a socket file:
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /` | `{ isolation }` |
 * | `POST /KIND` | a process, named in `x-process`; it ends with this connection, and this connection with it |
 * | `PUT /PROCESS/NAME` | 204, the body is a file in its folder |
 * | `POST /PROCESS/` | its answers, one a line of JSON; the process is killed when the connection ends before |
 * | `GET /PROCESS/NAME` | a finished file |
 * | `DELETE /PROCESS/NAME` | 204 |
 * | `DELETE /PROCESS/` | 204 when its folder is empty, 200 when something is left |
 */
export function decoderService({ host, isolation }: Service) {
  const places = new Map<string, { kind: Kind; place: LocalPlace }>()

  async function start(kind: Kind, response: ServerResponse) {
    const place = await host.start(kind)
    if (response.destroyed) return place.end()
    const id = randomUUID()
    places.set(id, { kind, place })
    response.once('close', () => {
      places.delete(id)
      void place.end().catch(() => undefined)
    })
    response.writeHead(200, { [PROCESS_HEADER]: id }).flushHeaders()
    await place.closed
    response.end()
  }

  async function ask(
    { kind, place }: { kind: Kind; place: LocalPlace },
    question: DecoderQuestion,
    response: ServerResponse,
  ) {
    const abort = new AbortController()
    response.once('close', () => abort.abort())
    const say = (answer: DecoderAnswer) => response.write(`${JSON.stringify(answer)}\n`)
    try {
      const result = await place.ask({
        request: question,
        signal: abort.signal,
        longest_ms: COSTS[kind].seconds * 1000,
        onPercent: (percent) => say({ percent }),
      })
      say({ result })
    } catch (error) {
      say(answerOf(error))
    }
    response.end()
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method, url = '' } = request
    const [, first = '', name = ''] = url.split('/')
    if (method === 'GET' && url === '/') return response.end(JSON.stringify({ isolation }))
    if (method === 'POST' && isKind(first)) return start(first, response)
    const found = places.get(first)
    if (!found || (name !== '' && !FILE.test(name))) return response.writeHead(404).end()
    const { place } = found
    const done = () => response.writeHead(204).end()
    if (name === '') {
      if (method === 'POST') return ask(found, (await json(request)) as DecoderQuestion, response)
      if (method === 'DELETE') return (await place.empty()) ? done() : response.end()
    } else {
      if (method === 'PUT') return place.receive(name, request).then(done)
      if (method === 'DELETE') return place.remove(name).then(done)
      if (method === 'GET') return pipeline((await place.open(name)).createReadStream(), response)
    }
    response.writeHead(405).end()
  }

  // A video of 2 GB takes its time.
  return createServer({ requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(JSON.stringify(answerOf(error)))
    })
  })
}
