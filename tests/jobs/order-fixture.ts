import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { EvidenceFile, EvidenceList } from '@garantia/shared/evidence/schema'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import type { TestApp } from '../support/test-app.ts'

/** Every field an order needs to become «Pronta» once its files are converted. */
const COMPLETE = {
  problem_description: 'Ruído ao frear',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'Modelo X',
}

/** Only an end to a test that hangs: real conversions take seconds on an idle machine, and minutes on a shared one. */
export const CONVERSION_TIMEOUT_MS = 1_200_000
const PATIENCE_MS = 120_000

/** An order with a superuser who works on it, and a folder for the files of their phone. */
export async function createOrderFixture(testApp: TestApp, brand: object = {}) {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const { id: order_id } = await testApp.make.order({
    ...COMPLETE,
    brand_id: (await testApp.make.brand(brand)).id,
  })
  const phone = join(testApp.dir, 'telefone')
  await mkdir(phone, { recursive: true })

  const list = async (): Promise<EvidenceList> =>
    (await boss.api('GET', `/evidence/${order_id}/evidence`)).json()
  return {
    order_id,
    phone,
    list,
    order: async () => (await boss.api('GET', `/service-orders/${order_id}`)).json(),
    async send(path: string, fields: Record<string, string> = {}): Promise<EvidenceFile> {
      const content = await readFile(path)
      const answer = await boss.upload(order_id, [{ filename: basename(path), content }], fields)
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return answer.json().uploaded[0]
    },
    convertAll: (): Promise<LightMyRequestResponse> =>
      boss.api('POST', `/evidence-conversion/${order_id}/convert-all`),
    /**
     * Polls as the screen does until every file is converted or failed, as long as something advances; passes every list
     * to `onList`.
     */
    async waitUntilConverted(onList: (list: EvidenceList) => void = () => undefined) {
      let last = ''
      for (let until = 0; last === '' || Date.now() < until; await wait(150)) {
        const seen = await list()
        onList(seen)
        const files = seen.evidence_files.map(({ id, status, progress }) => [id, status, progress])
        const state = JSON.stringify([files, await jobs(testApp)])
        if (state !== last) until = Date.now() + PATIENCE_MS
        last = state
        if (seen.evidence_files.every(({ status }) => status === 'converted' || status === 'failed'))
          return seen
      }
      throw new Error(`still converting: ${JSON.stringify([await list(), await jobs(testApp)], null, 1)}`)
    },
  }
}

export interface Job {
  key: string | null
  attempts: number
  locked_by: string | null
  run_at: string
  last_error: string | null
}
export async function jobs({ kernel }: TestApp) {
  const { rows } =
    await sql<Job>`select key, attempts, locked_by, run_at::text, last_error from graphile_worker.jobs
    where task_identifier not in ('sweep-sessions', 'empty-bin', 'apply-retention', 'verify-integrity', 'anchor-trail',
      'request-timestamps') order by id`.execute(kernel.ctx.db)
  return rows
}
export const lockedJobs = async (testApp: TestApp) =>
  (await jobs(testApp)).filter(({ locked_by }) => locked_by !== null)

/** Temporary folders of all processes except this one. */
export async function leftovers(testApp: TestApp) {
  const folders = await readdir(join(testApp.dir, 'tmp'))
  const own = folders.filter((name) => name === testApp.kernel.ctx.scratch.folder)
  const inside = await Promise.all(own.map((name) => readdir(join(testApp.dir, 'tmp', name))))
  return [
    ...folders.filter((name) => !own.includes(name)),
    ...inside.flat().filter((name) => name !== 'dono'),
  ]
}

/** Each file that is not deleted, with the objects of its folder, and whether they match the row. */
export async function storedFiles({ kernel, dir }: TestApp) {
  const rows = await kernel.ctx.db
    .selectFrom('evidence_files')
    .where('deleted_at', 'is', null)
    .selectAll()
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async (row) => {
      const folder = join(dir, 'files', row.original_key, '..')
      const path = join(dir, 'files', row.converted_key ?? row.original_key)
      const [original, converted] = [
        await readFile(join(dir, 'files', row.original_key)),
        await readFile(path),
      ]
      return {
        row,
        path,
        objects: (await readdir(folder)).filter((name) => name !== 'preview').sort(),
        isOriginalUntouched: sha256(original) === row.sha256,
        isAsRecorded: sha256(converted) === row.converted_sha256 && converted.length === row.converted_size,
      }
    }),
  )
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
