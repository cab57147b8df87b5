import { buildApp } from 'fauxqs'

export const BUCKET = 'garantia'

/** A third-party S3 server on loopback, with an empty bucket. */
export async function s3Server() {
  const service = buildApp({ logger: false })
  await service.inject({ method: 'PUT', url: `/${BUCKET}` })
  const url = await service.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    environment: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: 'chave',
      S3_SECRET_ACCESS_KEY: 'segredo',
    },
    async [Symbol.asyncDispose]() {
      await service.close()
    },
  }
}
