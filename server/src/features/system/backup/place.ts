import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { invalid } from '@garantia/shared/errors'
import type { Ctx } from '../../../kernel/context.ts'
import { type Digest, digestOf } from '../../../kernel/storage/digest.ts'
import { diskStorage } from '../../../kernel/storage/disk.ts'
import type { Storage } from '../../../kernel/storage/storage.ts'

const PARTIAL = '.parcial-'

/** Where backups are kept: a folder, or a folder of a bucket. */
export interface Place {
  storage: Storage
  /** A local folder for unfinished files, from which `storage.moveIn` takes them. */
  within<T>(work: (dir: string) => Promise<T>): Promise<T>
  /** Removes what a backup that was killed has left unfinished. */
  clear(): Promise<void>
}

/**
 * Opens `DIR` or `s3://bucket/prefix`, with the address and the keys of S3_ENDPOINT, S3_REGION and S3_ACCESS_KEY_ID.
 * Throws AppError `invalid` for another scheme and for a place inside of the stored files, StorageFault when
 * the bucket cannot be reached.
 */
export async function openPlace(ctx: Ctx, address: string): Promise<Place> {
  const { config, scratch } = ctx
  if (!address.includes('://')) return folderPlace(ctx, resolve(address))
  const given = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(address)
  if (!given) throw invalid(`O destino deve ser uma pasta ou s3://bucket/pasta, não «${address}».`, 'para')
  const [, bucket = '', prefix = ''] = given
  const { s3 } = config
  if (s3?.bucket === bucket && isWithin(`${prefix}/`, s3.prefix && `${s3.prefix}/`))
    throw invalid(
      'O backup deve ficar fora dos arquivos que ele copia: use outro bucket ou outra pasta.',
      'para',
    )
  const { s3Storage } = await import('../../../kernel/storage/s3.ts')
  const storage = await s3Storage({
    endpoint: s3?.endpoint ?? null,
    region: s3?.region ?? 'us-east-1',
    credentials: s3?.credentials ?? null,
    bucket,
    prefix,
  })
  return { storage, within: (work) => scratch.within('backup', work), clear: async () => undefined }
}

/** The whole bucket holds every folder. */
const isWithin = (one: string, other: string) =>
  one === '/' || other === '' || one.startsWith(other) || other.startsWith(one)

async function folderPlace({ config }: Ctx, root: string): Promise<Place> {
  if (`${root}${sep}`.startsWith(`${config.files_dir}${sep}`))
    throw invalid('O backup deve ficar fora dos arquivos que ele copia: use outra pasta.', 'para')
  return {
    storage: diskStorage(root),
    async within(work) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const dir = await mkdtemp(join(root, PARTIAL))
      try {
        return await work(dir)
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    },
    async clear() {
      const names = await readdir(root).catch(() => [])
      for (const name of names.filter((name) => name.startsWith(PARTIAL)))
        await rm(join(root, name), { recursive: true, force: true })
    },
  }
}

/**
 * Moves a file into the place and reads it back; `made` is its digest where it is known. Throws when what is read is
 * not what was written.
 */
export async function putVerified({ storage }: Place, key: string, path: string, made?: Digest) {
  const written = made ?? (await digestOf(createReadStream(path)))
  await storage.moveIn(key, path)
  const read = await digestOf(await storage.read(key))
  if (read.sha256 !== written.sha256)
    throw new Error(
      `O destino do backup não devolve o que foi gravado em ${key}: confira o disco ou o bucket.`,
    )
  return written
}
