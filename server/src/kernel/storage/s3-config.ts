import { z } from 'zod'

/** A bucket, or a folder of one, and how to connect to it. */
export interface S3Config {
  bucket: string
  /** Null means Amazon S3. */
  endpoint: string | null
  region: string
  /** Null leaves it to the SDK's own chain: profile, container, machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
  /** Folder inside the bucket, without leading or trailing slash; empty for the bucket itself. */
  prefix: string
}

/**
 * The S3_* variables of decision D-54. Without any of them files are stored on disk; any of them requires
 * S3_BUCKET.
 */
export const s3Environment = z
  .object({
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'deve ser o nome de um bucket')
      .optional(),
    S3_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'deve ser um endereço http:// ou https://' })
      .optional(),
    S3_REGION: z.string().optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    S3_PREFIX: z
      .string()
      .transform((path) => path.replace(/^\/+|\/+$/g, ''))
      .pipe(
        z
          .string()
          .regex(/^\w[\w.-]*(\/\w[\w.-]*)*$/, 'deve ser uma pasta de letras sem acento, como garantia/loja'),
      )
      .optional(),
  })
  .superRefine((given, { addIssue }) => {
    const refuse = (name: string, message: string) =>
      addIssue({ code: 'custom', path: [name], message, input: given })
    const named = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    if (named.length > 0 && !given.S3_BUCKET)
      refuse('S3_BUCKET', `é obrigatória quando há ${named.join(', ')}`)
    if (given.S3_ACCESS_KEY_ID && !given.S3_SECRET_ACCESS_KEY)
      refuse('S3_SECRET_ACCESS_KEY', 'é obrigatória quando há S3_ACCESS_KEY_ID')
    if (given.S3_SECRET_ACCESS_KEY && !given.S3_ACCESS_KEY_ID)
      refuse('S3_ACCESS_KEY_ID', 'é obrigatória quando há S3_SECRET_ACCESS_KEY')
  })

/** The bucket configuration, or null without S3_BUCKET. The region defaults to us-east-1. */
export function s3ConfigFrom(given: z.output<typeof s3Environment>): S3Config | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  if (!bucket) return null
  return {
    bucket,
    endpoint: given.S3_ENDPOINT ?? null,
    region: given.S3_REGION ?? 'us-east-1',
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    prefix: given.S3_PREFIX ?? '',
  }
}
