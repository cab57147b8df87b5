import type pg from 'pg'

const NAMES = [
  ...[
    "D'Ávila e Sá-Pereira",
    'D´Avila',
    '100% Frotas_SP',
    'a_b \\ c',
    '"Aspas" S/A',
    'x'.repeat(255),
    '🚗 Frota 😀',
  ],
  ...[
    'Jo',
    'Ó',
    ' duplo  espaço ',
    'Straße Großmann',
    'İstanbul Ílhavo',
    'null',
    '-',
    '%',
    '李 小龍',
    'e\u0301lida',
  ],
  ...['Maria\u00a0Silva', '\ufeffMaria', 'MARIA SILVA OLIVEIRA', 'Ñandú ½ ㎏', '٣٤٥ Frota', 'Frota Repetida'],
]
const DOCUMENTS = [null, '52998224725', '11222333000181', '12ABC34501DE35']
const PLATES = [null, 'ABC1234', 'ABC1C34', 'ABC1D23']
const CONVERSIONS = ['not_started', 'in_progress', 'completed', 'failed', 'available']
const OPEN = ['created', 'pending_upload', 'in_progress', 'ready', 'pending', 'in_analysis']

/**
 * Orders with names and numbers that searches, sorts and sums get wrong, 1,200 of them with the same word; some
 * deleted, changed or moved. They go through the triggers, so that sums are partly folded and partly not.
 */
export async function insertOddOrders(
  pool: pg.Pool,
  { companies, brands }: { companies: number[]; brands: number[] },
) {
  const pick = <T>(list: readonly T[], n: number) => list[n % list.length] as T
  const names = [...NAMES.flatMap((name) => Array<string>(12).fill(name)), null, null, null]
  const all = [...names, ...Array<string>(1_200).fill('Frota Repetida')]
  const rows = all.map((customer_name, n) => ({
    os_number: String(n * 13).padStart(6, '0'),
    brand_id: pick(brands, n),
    company_id: pick(companies, n * 7 + Math.floor(n / 5)),
    status: pick(OPEN, n),
    conversion_status: pick(CONVERSIONS, n),
    customer_name,
    customer_document: pick(DOCUMENTS, n * 3),
    customer_phone: n % 4 === 0 ? '(11) 98765-4321' : null,
    vehicle_plate: pick(PLATES, n),
    parts_value: (n % 9) * 100.1,
    // Ties, and the last minutes of a day in São Paulo.
    opened_at: new Date(Date.UTC(2026, 5, 1 + (n % 30), n % 2 ? 2 : 3, n % 2 ? 59 : 0)),
  }))
  await pool.query(
    `insert into service_orders (os_number, brand_id, company_id, status, conversion_status, customer_name,
       customer_document, customer_phone, vehicle_plate, parts_value, opened_at)
     select os_number, brand_id, company_id, status, conversion_status, customer_name, customer_document,
       customer_phone, vehicle_plate, parts_value, opened_at
     from jsonb_populate_recordset(null::service_orders, $1) on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await pool.query(`update service_orders set deleted_at = now() where customer_name = 'Jo' and id % 2 = 0`)
  await pool.query(`update service_orders set customer_document = '52998224725' where id % 97 = 0`)
  await pool.query(
    `update service_orders set opened_at = opened_at - interval '40 days' where customer_name = 'null'`,
  )
}
