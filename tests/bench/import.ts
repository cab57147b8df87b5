import { setTimeout as sleep } from 'node:timers/promises'
import { migrateToLatest } from '@garantia/migrations'
import type { ImportView } from '@garantia/shared/orders/import'
import { startWorker } from '@garantia/worker'
import { isQuick } from './options.ts'
import { record } from './record.ts'
import { bench, median, rounds, SERVER, timed } from './support.ts'

/** Orders of a dealer's system from a CSV, one line in fifty with an error (goal P18). */
const LINES = isQuick ? 500 : 5_000
const ROUNDS = isQuick ? 1 : 5
const BATCH = 500

await bench('Import', async (lab) => {
  const { pool, ctx } = lab.kernel
  await migrateToLatest(pool)
  const brand = await lab.make.brand({ slug: 'kia', display_name: 'Kia' })
  const { id } = await lab.make.user({ role: 'admin', is_superuser: true })
  const token = await ctx.sessions.open(id, { ip: null, user_agent: null })
  const server = await lab.start(SERVER)
  const worker = await startWorker(lab.kernel)
  const headers = { authorization: `Bearer ${token}` }

  const call = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { ...headers, ...(typeof init.body === 'string' && { 'content-type': 'application/json' }) },
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const procedure = async <Answer>(name: string, input: object) =>
    (
      await call<{ result: { data: Answer } }>(`/trpc/orderImports.${name}`, {
        method: 'POST',
        body: JSON.stringify(input),
      })
    ).result.data
  async function ended(id: number): Promise<ImportView> {
    for (;;) {
      const input = encodeURIComponent(JSON.stringify({ id }))
      const { result } = await call<{ result: { data: ImportView } }>(
        `/trpc/orderImports.one?input=${input}`,
        {},
      )
      if (!['reading', 'running'].includes(result.data.status)) return result.data
      await sleep(20)
    }
  }

  /** From the upload to the last order, with the check between. */
  async function byProduct() {
    const company = await lab.make.company()
    const form = new FormData()
    form.append('file', new Blob([csvOf(LINES)]), 'os.csv')
    return timed(async () => {
      const { id } = await call<ImportView>(`/api/v1/service-orders/imports?company_id=${company.id}`, {
        method: 'POST',
        body: form,
      })
      const { mapping } = await ended(id)
      await procedure('check', { id, mapping, brand_id: brand.id })
      await procedure('run', { id, mapping, brand_id: brand.id, mode: 'valid' })
      const { created } = await ended(id)
      if (created !== LINES - Math.floor(LINES / 50)) throw new Error(`${created} orders were opened`)
    })
  }

  /** The same rows and events by bare pg into the same tables: nothing is read, judged or shown. */
  async function byStatements() {
    const company = await lab.make.company()
    return timed(async () => {
      for (let from = 0; from < LINES; from += BATCH) {
        const client = await pool.connect()
        try {
          await client.query('begin')
          const { rows } = await client.query<{ id: number }>(
            `insert into service_orders (os_number, brand_id, company_id, customer_name, customer_document,
               customer_phone, vehicle_chassis, vehicle_mileage, parts_value, opened_at)
             select lpad(n::text, 6, '0'), $1, $2, 'Cliente ' || n, '52998224725', '11987654321',
               '9BWZZZ377VT' || lpad(n::text, 6, '0'), n, 1234.56, now()
             from generate_series($3::int, $4::int) n where n % 50 <> 0 returning id`,
            [brand.id, company.id, from + 1, from + BATCH],
          )
          await client.query(
            `insert into events (subject, subject_id, kind, actor_name, changes, at)
             select 'order', id, 'opened', 'Ana', '{"os_number": "000001"}', now() from unnest($1::bigint[]) id`,
            [rows.map(({ id }) => id)],
          )
          await client.query('commit')
        } finally {
          client.release()
        }
      }
    })
  }

  const times = await rounds(ROUNDS, { product: byProduct, statements: byStatements })
  record({
    name: 'import, 5,000 orders',
    unit: 'ms',
    product: median(times.product),
    reference: median(times.statements),
  })
  await worker.stop()
})

function csvOf(lines: number) {
  const rows = Array.from({ length: lines }, (_, index) => {
    const n = index + 1
    const document = n % 50 === 0 ? '111.111.111-11' : '529.982.247-25'
    const number = String(n).padStart(6, '0')
    return `${number};05/01/2026;Cliente ${n};${document};(11) 98765-4321;9BWZZZ377VT${number};${n};1.234,56`
  })
  return ['OS;Abertura;Cliente;CPF/CNPJ;Telefone;Chassi;KM;Valor peças', ...rows].join('\n')
}
