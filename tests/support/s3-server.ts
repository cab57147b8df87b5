import { CreateBucketCommand, DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { buildApp } from 'fauxqs'
import { type Radosgw, startRadosgw } from './radosgw.ts'

/** A bucket in an S3 server of others, and the environment of a product that keeps its files there. */
interface S3Server extends AsyncDisposable {
  url: string
  bucket: string
  environment: Record<string, string>
  /** As somebody who is not the product. */
  remove(key: string): Promise<void>
}

/** A new and empty bucket on loopback: with S3_SERVER=radosgw in Ceph, which keeps nothing, else in a server for tests. */
export async function s3Server(): Promise<S3Server> {
  const { url, access_key, secret_key, stop } = await (process.env.S3_SERVER === 'radosgw'
    ? radosgw()
    : fauxqs())
  const Bucket = `garantia-${++buckets}`
  const credentials = { accessKeyId: access_key, secretAccessKey: secret_key }
  const client = new S3Client({ endpoint: url, forcePathStyle: true, region: 'us-east-1', credentials })
  await client.send(new CreateBucketCommand({ Bucket }))
  return {
    url,
    bucket: Bucket,
    environment: {
      S3_BUCKET: Bucket,
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: access_key,
      S3_SECRET_ACCESS_KEY: secret_key,
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await stop()
    },
  }
}
let buckets = 0

async function fauxqs(): Promise<Radosgw> {
  const service = buildApp({ logger: false })
  const url = await service.listen({ host: '127.0.0.1', port: 0 })
  return { url, access_key: 'chave', secret_key: 'segredo', stop: async () => void (await service.close()) }
}

/** One for all tests of a file, until they end: it takes ten seconds to start. */
let started: Promise<Radosgw> | undefined
async function radosgw(): Promise<Radosgw> {
  started ??= startRadosgw()
  return { ...(await started), stop: async () => undefined }
}
