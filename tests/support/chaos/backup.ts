import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { operatorCommand } from '../../jobs/process.ts'
import { asAdmin, onDatabase } from '../postgres.ts'
import type { ChaosInstallation } from './installation.ts'
import type { Acknowledged, Load } from './load.ts'

const PASSPHRASE = { BACKUP_PASSPHRASE: 'uma senha bem longa' }
const RESTORED = 'restaurado'

export interface MadeBackup {
  place: string
  /** What was acknowledged before it began. */
  known: readonly Acknowledged[]
  attempts: number
}

/** Makes a backup in the middle of everything; one that a fault has ended is begun again. */
export async function backUpUnderLoad(installation: ChaosInstallation, load: Load): Promise<MadeBackup> {
  const place = join(installation.dir, 'copias')
  for (let attempts = 1; ; attempts++) {
    const known = [...load.acknowledged]
    const { code } = await operatorCommand(installation.direct(), ['backup', '--para', place], PASSPHRASE)
    if (code === 0) return { place, known, attempts }
    await wait(1_000)
  }
}

/** Restores it on an empty machine, and returns what of the promised is not there. */
export async function checkRestored(
  { direct, database, admin, dir }: ChaosInstallation,
  { place, known }: MadeBackup,
): Promise<string[]> {
  await asAdmin(admin(), `create database ${RESTORED} owner garantia`)
  const url = onDatabase(database(), RESTORED)
  const machine = { ...direct(), url, dir: join(dir, 'maquina-nova'), environment: { LOG_LEVEL: 'fatal' } }
  await mkdir(machine.dir)
  const broken: string[] = []
  const restored = await operatorCommand(machine, ['restaurar', '--de', place], PASSPHRASE)
  if (restored.code !== 0) return [`restaurar: ${restored.out}${restored.err}`]
  for (const command of ['verificar', 'verificar-cadeia']) {
    const { code, out, err } = await operatorCommand(machine, [command])
    // Uploads in pieces are in no backup.
    const lines = out
      .split('\n')
      .filter((line) => line.startsWith('ausente') && !line.includes('tmp/uploads/'))
    if (code !== 0 && (command !== 'verificar' || lines.length > 0)) broken.push(`${command}: ${out}${err}`)
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const { id, sha256 } of known) {
      const { rows } = await client.query('select from evidence_files where id = $1 and sha256 = $2', [
        id,
        sha256,
      ])
      if (rows.length !== 1) broken.push(`arquivo ${id}, confirmado antes do backup, não está nele`)
    }
  } finally {
    await client.end()
  }
  return broken
}
