import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { picture } from '../make.ts'
import { multipart } from '../test-app.ts'
import { chunkHeaders, creationHeaders, TUS } from '../tus.ts'

const PIECE = 100_000
/** A request that hangs this long is given up by its client. */
const PATIENCE_MS = 15_000

export interface Acknowledged {
  id: number
  order_id: number
  sha256: string
  size: number
}
export interface Load {
  /** What a server has said to be stored. */
  acknowledged: Acknowledged[]
  /** Answers by call and status; `0` is a connection that failed. */
  answers: Record<string, Record<string, number>>
  /** Answers that are the product's own fault, with what they say. */
  unexplained: string[]
  /** Waits for the last request of each client. */
  end(): Promise<void>
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** A picture of about that many bytes: what follows its end is kept, and no picture is like another. */
const photo = async (bytes: number) => Buffer.concat([await picture(), randomBytes(bytes)])

export interface Target {
  password: string
  /** Of the servers, as clients reach them now. */
  urls(): string[]
  /** Whether an upload in pieces can be gone on with at any server, as they share the folder of the pieces. */
  sharesPieces: boolean
  /** How long a client waits after each upload: a conversion takes longer than an upload. */
  pause_ms?: number
}

/** Clients that upload, convert, download and read lists until they are ended, through any server. */
export async function startLoad(
  { password, urls, sharesPieces, pause_ms = 0 }: Target,
  orders: number,
  random: () => number,
): Promise<Load> {
  const acknowledged: Acknowledged[] = []
  const answers: Load['answers'] = {}
  const unexplained: string[] = []
  let isEnding = false
  const anyOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const anyUrl = () => anyOf(urls())

  async function call(name: string, url: string, init: RequestInit = {}) {
    answers[name] ??= {}
    const counts = answers[name]
    const count = (status: number) => {
      counts[status] = (counts[status] ?? 0) + 1
    }
    try {
      const answer = await fetch(url, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const body = new Uint8Array(await answer.arrayBuffer())
      count(answer.status)
      if (answer.status === 500)
        unexplained.push(
          `${name}: 500 ${answer.headers.get('x-request-id')}: ${Buffer.from(body).toString().slice(0, 300)}`,
        )
      return { status: answer.status, headers: answer.headers, body }
    } catch {
      count(0)
      return null
    }
  }
  const json = (answer: { body: Uint8Array }) => JSON.parse(Buffer.from(answer.body).toString())
  const api = (url: string, path: string) => `${url}/api/v1${path}`

  let token = ''
  const [first = ''] = urls()
  const signedIn = await call('entrar', api(first, '/login/access-token'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  if (signedIn?.status !== 200) throw new Error(`sign-in: ${signedIn?.status}`)
  token = json(signedIn).access_token
  const post = async (path: string, body?: object) => {
    const answer = await call('preparar', api(first, path), {
      method: 'POST',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!answer || answer.status >= 300) throw new Error(`${path}: ${answer?.status}`)
    return json(answer)
  }
  await post('/brands/initialize')
  const listed = async (path: string) =>
    json((await call('preparar', api(first, path))) ?? { body: Buffer.from('{}') })
  const [brand_id, company_id] = [
    (await listed('/brands')).data[0].id,
    (await listed('/companies')).data[0].id,
  ]
  const ids: number[] = []
  for (let n = 1; n <= orders; n++)
    ids.push(
      (await post('/service-orders', { os_number: String(n).padStart(6, '0'), brand_id, company_id })).id,
    )

  async function uploadForm() {
    await wait(pause_ms)
    const [order_id, content] = [anyOf(ids), await photo(5_000 + random() * 100_000)]
    const { body, headers } = multipart([{ name: 'files', filename: 'foto.jpg', content }])
    const answer = await call('enviar', api(anyUrl(), `/evidence/${order_id}/upload`), {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    })
    if (answer?.status === 201)
      acknowledged.push({
        id: json(answer).uploaded[0].id,
        order_id,
        sha256: sha256(content),
        size: content.length,
      })
  }
  /** In pieces, each begun again where the server has got to. */
  async function uploadInPieces() {
    await wait(pause_ms)
    const [one, order_id, content] = [anyUrl(), anyOf(ids), await photo(PIECE * (2 + random() * 6))]
    const begun = await call('enviar em partes', api(one, '/uploads'), {
      method: 'POST',
      headers: creationHeaders(content.length, { order_id, filename: 'foto.jpg' }),
    })
    const path = begun?.headers.get('location')
    const at = () => (sharesPieces ? anyUrl() : one)
    if (begun?.status !== 201 || !path) return
    for (let tries = 0, offset = 0; tries < 60 && !isEnding; tries++) {
      const answer = await call('parte', `${at()}${path}`, {
        method: 'PATCH',
        headers: chunkHeaders(offset),
        body: new Uint8Array(content.subarray(offset, offset + PIECE)),
      })
      if (answer?.status === 200) {
        const { id } = json(answer).uploaded[0]
        acknowledged.push({ id, order_id, sha256: sha256(content), size: content.length })
        return
      }
      const seen = await call('parte: onde', `${at()}${path}`, { method: 'HEAD', headers: TUS })
      if (seen?.status === 404 || seen?.status === 410) return
      if (seen?.status === 200) offset = Number(seen.headers.get('upload-offset'))
      else await wait(300)
    }
  }
  const convert = async () => {
    await call('converter', api(anyUrl(), `/evidence-conversion/${anyOf(ids)}/convert-all`), {
      method: 'POST',
    })
    await wait(300)
  }
  const download = async () => {
    await call('baixar', api(anyUrl(), `/evidence/${anyOf(ids)}/download-all`))
    await wait(300)
  }
  const list = async () => {
    await call('listar', api(anyUrl(), '/service-orders?limit=50'))
    await wait(50)
  }
  const clients = [uploadForm, uploadForm, uploadInPieces, convert, download, list].map(async (act) => {
    while (!isEnding) {
      await act()
      await wait(20)
    }
  })
  return {
    acknowledged,
    unexplained,
    answers,
    async end() {
      isEnding = true
      await Promise.all(clients)
    },
  }
}
