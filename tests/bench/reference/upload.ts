import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'

/** A minimal server for an upload: writes the parts to disk and hashes them on the way. */
const dir = join(process.env.DATA_DIR ?? '', 'reference')
await mkdir(dir, { recursive: true })

const app = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER })
await app.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY, files: 500 } })
let serial = 0
app.post<{ Querystring: { sync?: string } }>('/', async (request, reply) => {
  const uploaded: { path: string; sha256: string }[] = []
  for await (const part of request.files()) {
    const hash = createHash('sha256')
    const path = join(dir, String(serial++))
    await pipeline(
      part.file,
      async function* (source) {
        for await (const chunk of source) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(path, { flush: request.query.sync !== undefined }),
    )
    uploaded.push({ path, sha256: hash.digest('hex') })
  }
  return reply.code(201).send({ uploaded })
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ type: 'ready', url })
for (const name of ['SIGTERM', 'disconnect']) process.on(name, () => process.exit())
