import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { inParallel } from '../parallel.ts'
import { nullIfMissing } from './disk.ts'
import { openRangeReader, type RangeRequest, streamOf } from './range-reader.ts'
import type { S3Config } from './s3-config.ts'
import { type Storage, StorageFault, type StoredEntry } from './storage.ts'

const CHUNK = 512 * 1024
/** Minimum bytes per part of a multipart upload; S3 allows at most MOST_PARTS parts per object. */
const PART = 8 << 20
const MOST_PARTS = 10_000
/** Parts of one file uploaded in parallel, each in memory. */
const PARTS_AT_ONCE = 2
/** Small objects hashed in parallel. */
const HASHED_AT_ONCE = 8
/** A download uses one or two connections and must not make others wait. */
const MOST_CONNECTIONS = 256
const CONNECT_MS = 10_000
/** At the start: a bucket that is slower is said to be out of reach. */
const ANSWERS_WITHIN_MS = 4_000
/** Time without data after which a connection counts as broken. */
const SILENCE_MS = 60_000

/**
 * Storage in a bucket. An object appears under its key only when it is complete, as S3 guarantees. Throws
 * StorageFault when the bucket is missing, refuses the credentials or cannot be reached; later calls throw it
 * when the service or the network fails.
 */
export async function s3Storage(config: S3Config): Promise<Storage> {
  const { bucket: Bucket } = config
  const client = connect(config)
  await refuseUnreachable(client, config)
  const root = config.prefix && `${config.prefix}/`
  const keyOf = (key: string) => {
    const path = posix.resolve('/-', key)
    if (!path.startsWith('/-/')) throw new Error(`storage key leaves its folder: ${key}`)
    return root + path.slice('/-/'.length)
  }
  const reading =
    (key: string): RangeRequest =>
    async (start, end) => {
      const Range = start > 0 || end !== undefined ? `bytes=${start}-${end ?? ''}` : undefined
      try {
        const { Body, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket, Key: keyOf(key), Range }),
        )
        if (!Body || ContentLength === undefined) throw new Error('an answer without a body or its length')
        return { body: Body as Readable, bytes: ContentLength }
      } catch (error) {
        if (statusOf(error) === 416) return null
        throw isNoSuchKey(error) ? missingObjectError(key) : faultOf(error)
      }
    }
  const read: Storage['read'] = async (key, range) =>
    streamOf(await openRangeReader(reading(key), range?.start ?? 0, range?.end), CHUNK)
  const open: Storage['open'] = async (key) => {
    const ask = reading(key)
    let reader = await openRangeReader(ask, 0)
    let nextPosition = 0
    let rest: Buffer = Buffer.alloc(0)
    return {
      async read(into, position) {
        if (position !== nextPosition) {
          reader.close()
          rest = Buffer.alloc(0)
          reader = await openRangeReader(ask, position)
          nextPosition = position
        }
        let used = 0
        while (used < into.length) {
          if (rest.length === 0) {
            const next = await reader.next()
            if (!next) break
            rest = next
          }
          const copied = rest.copy(into, used)
          rest = rest.subarray(copied)
          used += copied
        }
        nextPosition += used
        return used
      },
      close: async () => reader.close(),
    }
  }
  const fetch: Storage['fetch'] = async (key, path) => {
    const body = await read(key)
    try {
      await pipeline(body, createWriteStream(path, { mode: 0o600 }))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  return {
    read,
    open,
    fetch,
    hashes: (objects) => inParallel(objects, HASHED_AT_ONCE, (object) => hashOf(open, object)),
    async moveIn(key, path) {
      const Key = keyOf(key)
      const { size } = await stat(path)
      const Body = createReadStream(path, { highWaterMark: CHUNK })
      const partSize = Math.max(PART, Math.ceil(size / MOST_PARTS))
      const upload = new Upload({
        client,
        params: { Bucket, Key, Body },
        partSize,
        queueSize: PARTS_AT_ONCE,
      })
      try {
        await upload.done()
      } catch (error) {
        throw faultOf(error)
      } finally {
        Body.destroy()
      }
      await rm(path, { force: true })
    },
    async localPath(key, copy_path) {
      await fetch(key, copy_path)
      return copy_path
    },
    async size(key) {
      const Key = keyOf(key)
      try {
        return (await client.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength ?? null
      } catch (error) {
        if (statusOf(error) !== 404) throw faultOf(error)
      }
      // A HEAD response has no body that says whether the object or the whole bucket is missing.
      await client.send(new HeadBucketCommand({ Bucket })).catch(rethrown)
      return null
    },
    async remove(key) {
      const Key = keyOf(key)
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key }))
      } catch (error) {
        if (!isNoSuchKey(error)) throw faultOf(error)
      }
    },
    list: (folder) => below(folder ? `${keyOf(folder)}/` : root),
    close: () => client.destroy(),
  }

  async function* below(Prefix: string): AsyncGenerator<StoredEntry> {
    try {
      // S3 consoles create empty objects that represent folders; they are skipped.
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents)
          if (!Key.endsWith('/')) yield { key: Key.slice(root.length), size: Size, modified_at: LastModified }
    } catch (error) {
      throw faultOf(error)
    }
  }
}

async function hashOf(open: Storage['open'], { key, size }: { key: string; size: number }) {
  const object = await open(key).catch(nullIfMissing)
  if (!object) return null
  try {
    const bytes = Buffer.allocUnsafe(size + 1)
    return (await object.read(bytes, 0)) === size ? hash('sha256', bytes.subarray(0, size)) : null
  } finally {
    await object.close()
  }
}

function connect({ endpoint, region, credentials }: S3Config) {
  const agent = { maxSockets: MOST_CONNECTIONS, keepAlive: true }
  return new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: !new URL(endpoint).hostname.endsWith('.amazonaws.com') }),
    ...(credentials && { credentials }),
    // Amazon supports checksums in trailers, few other S3 services do.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

/** Reports a wrong bucket name or key at the start, instead of at the first upload. */
async function refuseUnreachable(client: S3Client, { bucket, endpoint }: S3Config) {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), {
      abortSignal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    })
  } catch (error) {
    client.destroy()
    const at = endpoint ? ` em ${endpoint}` : ''
    const why =
      statusOf(error) === 404
        ? 'não existe'
        : statusOf(error) === 403
          ? 'recusa as credenciais (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY) ou a região (S3_REGION)'
          : 'não responde'
    throw new StorageFault(`S3_BUCKET: o bucket «${bucket}»${at} ${why}.`, { cause: error })
  }
}

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
const isNoSuchKey = (error: unknown) => error instanceof S3ServiceException && error.name === 'NoSuchKey'
const missingObjectError = (key: string) =>
  Object.assign(new Error(`no such object: ${key}`), { code: 'ENOENT' })

/** A failure of the network or the service; never taken for a missing object. */
const faultOf = (error: unknown) =>
  new StorageFault(`o armazenamento S3 falhou: ${(error as Error).name}: ${(error as Error).message}`, {
    cause: error,
  })
const rethrown = (error: unknown) => {
  throw faultOf(error)
}
