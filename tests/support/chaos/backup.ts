import { mkdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type Installation, operatorCommand } from '../../jobs/process.ts'
import { asAdmin, onDatabase } from '../postgres.ts'
import type { Acknowledged, Load } from './load.ts'

const PASSPHRASE = { BACKUP_PASSPHRASE: 'uma senha bem longa' }
const RESTORED = 'restaurado'
const MOST_ATTEMPTS = 60

export interface MadeBackup {
  place: string
  /** What was acknowledged before it began. */
  known: readonly Acknowledged[]
  attempts: number
}

/** Makes a backup in `place` in the middle of everything; one that a fault has ended is begun again. */
export async function backUpUnderLoad(
  installation: Installation,
  place: string,
  load: Load,
): Promise<MadeBackup> {
  for (let attempts = 1; ; attempts++) {
    const known = [...load.acknowledged]
    const { code, out, err } = await operatorCommand(installation, ['backup', '--para', place], PASSPHRASE)
    if (code === 0) return { place, known, attempts }
    if (attempts === MOST_ATTEMPTS) throw new Error(`no backup in ${attempts} attempts: ${out}${err}`)
    await wait(1_000)
  }
}

/** Restores it on an empty machine, as `installation` is set up but for its database, and returns what is missing. */
export async function checkRestored(
  installation: Installation,
  admin_url: string,
  { place, known }: MadeBackup,
): Promise<string[]> {
  await asAdmin(admin_url, `create database ${RESTORED} owner garantia`)
  const url = onDatabase(installation.url, RESTORED)
  const dir = `${place}-restaurado`
  const environment = { ...installation.environment, LOG_LEVEL: 'fatal' }
  const machine = { ...installation, url, dir, environment }
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
