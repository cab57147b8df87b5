import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '@garantia/server/app'
import {
  type Ctx,
  type Kernel,
  type Logger,
  openDatabase,
  openKernel,
  openLog,
  readConfig,
} from '@garantia/server/kernel'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { makers } from './make.ts'
import { freshDatabase } from './postgres.ts'

export const SIGNING_KEY = '5e'.repeat(32)
export const DOSSIER_KEY = 'd0'.repeat(32)
export const PASSWORD = 'senha-de-teste'
/**
 * One hash with the cheapest parameters for every made user: argon2 is slow on purpose, and tests sign in
 * often.
 */
const PASSWORD_HASH =
  '$argon2id$v=19$m=64,t=1,p=1$7S7frHsS/Fi6SjZwFJ3RmA$zQEfN/UuW/pTFePXWP3Fj3LRd12Vr8i7FEvNZR/+TSA'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
export interface Caller {
  ctx: Ctx
  token: string
  /** A call to /api/v1 through the real HTTP stack; a string body is sent as it is. */
  api(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  /** Uploads files to an order as a browser does. */
  upload(
    order_id: number,
    files: { filename: string; content: Buffer | string }[],
    fields?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}
export interface TestApp {
  kernel: Kernel
  /** The same as the owner of the database, who may do what the role in use may not. */
  owner: Ctx
  app: FastifyInstance
  url: string
  owner_url: string
  dir: string
  /** The environment it was made with, for processes beside it. */
  environment: Record<string, string>
  make: ReturnType<typeof makers>
  /** The caller as this user. */
  as(user: { id: number }): Promise<Caller>
  anonymous: Caller
  /** Paths of all files under the data folder: stored objects and temporary files. */
  filesOnDisk(): Promise<string[]>
  /** The address of a listening server, for tests that need a socket. */
  listen(): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** A fresh database, an empty disk and a server around them: `await using testApp = await startTestApp()`. */
export async function startTestApp(
  environment: Record<string, string> = {},
  log: Logger = openLog('silent', 'teste'),
  role: 'in use' | 'owner' = 'in use',
): Promise<TestApp> {
  const database = await freshDatabase()
  const url = role === 'owner' ? database.owner_url : database.url
  const dir = await mkdtemp(join(tmpdir(), 'garantia-teste-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dir,
    SIGNING_KEY,
    DOSSIER_KEY,
    LOG_LEVEL: 'silent',
    // Tests of reading turn it on; the others would only wait for it.
    PHOTO_READING: 'false',
    PROGRAMS_DIR: process.env.PROGRAMS_DIR,
    ...environment,
  })
  const kernel = await openKernel(config, log, { connections: 6 })
  const asOwner = openDatabase(database.owner_url, log, { max: 3 })
  const owner: Ctx = { ...kernel.ctx, db: asOwner.db }
  const app = await buildApp(kernel.ctx)
  await app.ready()
  let listening: Promise<string> | undefined
  const calls = (token: string): Pick<Caller, 'token' | 'api' | 'upload'> => {
    const api: Caller['api'] = async (method, path, body, headers = {}) =>
      assertResponseInvariants(
        await app.inject({
          method,
          url: `/api/v1${path}`,
          headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
          ...(body !== undefined && { payload: body as object }),
        }),
        method,
      )
    return {
      token,
      api,
      upload(order_id, files, fields = {}) {
        const { body, headers } = multipart([
          ...files.map((file) => ({ name: 'files', ...file })),
          ...Object.entries(fields).map(([name, content]) => ({ name, content })),
        ])
        return api('POST', `/evidence/${order_id}/upload`, body, headers)
      },
    }
  }
  return {
    kernel,
    owner,
    app,
    url,
    owner_url: database.owner_url,
    dir,
    environment,
    make: makers(kernel.ctx, owner, PASSWORD_HASH),
    async as({ id }) {
      const token = await kernel.ctx.sessions.open(id, { ip: null, user_agent: null })
      const person = await kernel.ctx.sessions.personOf(token)
      if (!person) throw new Error(`user ${id} cannot sign in`)
      return { ctx: { ...kernel.ctx, actor: person }, ...calls(token) }
    },
    anonymous: { ctx: { ...kernel.ctx, actor: { kind: 'anonymous' } }, ...calls('') },
    filesOnDisk: () => filesUnder(dir),
    listen: () => (listening ??= app.listen({ host: '127.0.0.1', port: 0 })),
    async [Symbol.asyncDispose]() {
      await app.close()
      await kernel.close()
      await asOwner.db.destroy()
      await database.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** All files below a folder. Begins again when a folder in it is removed meanwhile, as those of idle decoders are. */
export async function filesUnder(dir: string): Promise<string[]> {
  try {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && path !== dir) return filesUnder(dir)
    throw error
  }
}

/** Checks that hold for every response: a refusal has a detail and a request id of the log. */
function assertResponseInvariants(answer: LightMyRequestResponse, method: Method) {
  const { statusCode, headers } = answer
  if (!headers['x-request-id']) throw new Error(`${statusCode} without x-request-id`)
  if (!headers['content-security-policy']) throw new Error(`${statusCode} without content-security-policy`)
  if (headers['x-content-type-options'] !== 'nosniff') throw new Error(`${statusCode} without nosniff`)
  if (statusCode < 400 || method === 'HEAD') return answer
  const { detail } = answer.json<{ detail?: unknown }>()
  const isList =
    Array.isArray(detail) && detail.every((one) => one.loc && one.msg && one.type && !('input' in one))
  if (!isList && (typeof detail !== 'string' || detail === ''))
    throw new Error(`${statusCode} without detail: ${answer.body}`)
  if (statusCode === 401 && headers['www-authenticate'] !== 'Bearer')
    throw new Error('401 without WWW-Authenticate')
  if (statusCode >= 500) throw new Error(`${statusCode}: ${answer.body}`)
  return answer
}

/** A multipart body as a browser sends it. */
export function multipart(parts: { name: string; filename?: string; content: Buffer | string }[]) {
  const boundary = '----garantia'
  const chunks = parts.flatMap(({ name, filename, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
