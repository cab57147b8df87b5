import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { bytes } from '@garantia/shared/format'
import type { Ctx } from '../../../kernel/context.ts'
import { readSpace } from '../../evidence/quota/service.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const EARLY = 0.1

/** Free space of the disk on which files arrive. */
export async function diskFindings(ctx: Ctx): Promise<Finding[]> {
  const { free, total, reserve } = await readSpace(ctx, 0)
  const text = `${bytes(free)} livres de ${bytes(total)} em ${ctx.config.data_dir}`
  const advice =
    'aumente o disco, mova DATA_DIR, ou elimine o que já venceu: npm run worker -- retencao --simular'
  if (free < reserve) return [fault('disco', `${text}: envios são recusados`, advice)]
  if (free < total * EARLY) return [warning('disco', text, advice)]
  return [ok('disco', text)]
}

/** Writes a small object, reads it back and removes it. */
export async function storageFindings(ctx: Ctx): Promise<Finding[]> {
  const key = `doutor/${randomUUID()}`
  const said = Buffer.from('doutor')
  await ctx.scratch.within('diagnosis', async (dir) => {
    const path = join(dir, 'prova')
    await writeFile(path, said)
    await ctx.storage.moveIn(key, path)
  })
  try {
    const read = await buffer(await ctx.storage.read(key))
    if (!read.equals(said)) throw new Error('o que foi gravado não é o que se lê')
  } finally {
    await ctx.storage.remove(key)
  }
  const { s3, files_dir } = ctx.config
  return [ok('arquivos', s3 ? `o bucket ${s3.bucket} grava, lê e remove` : `${files_dir} grava, lê e remove`)]
}

/** The file with the generated secrets must be its owner's alone. */
export async function secretsFindings(ctx: Ctx): Promise<Finding[]> {
  const path = join(ctx.config.data_dir, 'secrets.json')
  const file = await stat(path).catch(() => null)
  if (!file) return [ok('segredos', 'vêm do ambiente')]
  if ((file.mode & 0o077) !== 0)
    return [fault('segredos', `${path} pode ser lido por outras contas da máquina`, `chmod 600 ${path}`)]
  return [ok('segredos', `${path} é só do dono`)]
}
