import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type Stamp,
  type StampCryptography,
  type ValidStamp,
  verifyStamp,
} from '@garantia/shared/dossier/timestamp'
import { stampRequest } from '@garantia/shared/dossier/timestamp-token'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'

const ANSWER_MS = 30_000
/** An answer with its certificates has some kilobytes. */
const LARGEST_BYTES = 1_000_000
const nodeName = (hash: string) => hash.replace('-', '').toLowerCase()

const cryptography: StampCryptography = {
  digest: (hash, bytes) => createHash(nodeName(hash)).update(bytes).digest(),
  verify({ spki }, hash, signature, bytes) {
    try {
      const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
      return verify(nodeName(hash), bytes, key, signature)
    } catch {
      return false
    }
  },
  decodeBase64: (text) => Buffer.from(text, 'base64'),
}

/** The certificates that TSA_ROOTS names, as PEM; none when it names no file. Fails when the file cannot be read. */
export const authorityRoots = async ({ TSA_ROOTS }: Config): Promise<string[]> =>
  TSA_ROOTS ? [await readFile(TSA_ROOTS, 'utf8')] : []

/** What a stored answer proves about this SHA-256 (32 bytes). */
export const judgeStamp = async (ctx: Ctx, answer: Uint8Array, sha256: Uint8Array): Promise<Stamp> =>
  verifyStamp(answer, { sha256, roots: await authorityRoots(ctx.config), now: ctx.clock() }, cryptography)

export interface ReceivedStamp {
  /** The answer of the authority (TimeStampResp), as it came. */
  answer: Buffer
  stamp: ValidStamp
}

/**
 * Asks the authority (TSA_URL) to stamp a SHA-256 and verifies what it answers. Throws when it does not answer, or not
 * with a valid stamp of this request by an authority that is trusted (TSA_ROOTS); the message is for people.
 */
export async function requestStamp(ctx: Ctx, sha256: Uint8Array): Promise<ReceivedStamp> {
  const { config } = ctx
  const roots = await authorityRoots(config)
  const nonce = randomBytes(16)
  const answer = await ask(config, stampRequest(sha256, nonce))
  const stamp = verifyStamp(answer, { sha256, nonce, roots, now: ctx.clock() }, cryptography)
  if (!stamp.is_valid) throw new Error(stamp.text)
  if (stamp.is_pinned === false) throw new Error(`${stamp.root} não é uma autoridade de TSA_ROOTS.`)
  return { answer, stamp }
}

async function ask({ TSA_URL, TSA_TOKEN }: Config, request: Uint8Array): Promise<Buffer> {
  const url = new URL(TSA_URL ?? '')
  const headers: Record<string, string> = { 'content-type': 'application/timestamp-query' }
  if (TSA_TOKEN) headers.authorization = `Bearer ${TSA_TOKEN}`
  else if (url.username) headers.authorization = `Basic ${credentials(url)}`
  // fetch refuses an address with credentials.
  url.username = ''
  url.password = ''
  const body = Buffer.from(request)
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => {
    throw new Error(`${url.host} não respondeu.`)
  })
  if (!reply.ok) throw new Error(`${url.host} respondeu ${reply.status}.`)
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (bytes.length > LARGEST_BYTES) throw new Error(`${url.host} respondeu com bytes demais.`)
  return bytes
}

const credentials = ({ username, password }: URL) =>
  Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
