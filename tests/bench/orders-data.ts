import type pg from 'pg'

/**
 * Orders of a dealer group after three years: few brands and companies have most, some first names fill
 * pages, most orders are completed. Deterministic.
 */
const FIRST_NAMES =
  'Maria,José,Ana,João,Antônio,Francisco,Carlos,Paulo,Pedro,Lucas,Luiz,Marcos,Luís,Gabriel,Rafael,Francisca,Daniel,Marcelo,Bruno,Eduardo,Felipe,Adriana,Juliana,Márcia,Fernanda,Patrícia,Aline,Sandra,Camila,Amanda,Bruna,Jéssica,Letícia,Júlia,Luciana,Vanessa,Mariana,Gabriela,Vera,Vitória,Larissa,Cláudia,Beatriz,Luana,Rita,Sônia,Renata,Eliane,Rodrigo,Manoel,Mateus,André,Fernando,Fábio,Leonardo,Gustavo,Guilherme,Leandro,Tiago,Anderson'
const LAST_NAMES =
  'da Silva,dos Santos,de Oliveira,de Souza,Pereira,Ferreira,Alves,Rodrigues,Lima,Gomes,Costa,Ribeiro,Martins,Carvalho,de Almeida,Lopes,Soares,Fernandes,Vieira,Barbosa,Rocha,Dias,Nascimento,de Andrade,Moreira,Nunes,Marques,Machado,Mendes,Freitas,Cardoso,Ramos,Gonçalves,Santana,Teixeira,Araújo,Cavalcanti,Monteiro,Moura,Pinto,Batista,Correia,Sá-Pereira,Azevedo,Guimarães,Brandão,Siqueira,Conceição,Wanderley,Zanetti'
const MODELS =
  'Onix,HB20,Strada,Polo,Argo,Compass,T-Cross,Creta,Corolla,Kicks,Renegade,Tracker,Hilux,Mobi,Kwid,Fit,Ranger,Dolphin'
const PROBLEMS =
  'Luz da injeção acesa no painel|Ruído ao passar em lombadas na dianteira direita|Central multimídia reinicia sozinha|Ar-condicionado não gela em marcha lenta|Vazamento de óleo na tampa de válvulas|Trepidação no pedal do freio acima de 80 km/h|Vidro elétrico traseiro não sobe|Câmbio automático com tranco da segunda para a terceira|Infiltração de água no porta-malas|Bateria descarrega com o veículo parado por dois dias'

/** Pseudo-random numbers for a row: `u(i, k)` is between 0 and 1. */
const RANDOM = `create or replace function pg_temp.u(i bigint, k bigint) returns float8 language sql immutable
  return (hashint8extended(i, k) & 2147483647)::float8 / 2147483648.0`
const CHUNK = 100_000

/**
 * Fills an empty database with `to` orders, spread over the three years, and refreshes the planner's
 * statistics. Goes on where it was interrupted; returns at once when nothing is missing.
 */
export async function insertOrders(
  pool: pg.Pool,
  { to, companies, brands }: { to: number; companies: number[]; brands: number[] },
  tell: (text: string) => void,
) {
  const client = await pool.connect()
  const count = async (table: string) =>
    (await client.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0
  try {
    const { rows: unfinished } = await client.query(`select where to_regclass('dropped_indexes') is not null`)
    if (unfinished.length === 0 && (await count('service_orders')) === to) return
    await client.query(RANDOM)
    await client.query(
      `set maintenance_work_mem = '512MB'; set work_mem = '64MB'; set synchronous_commit = off`,
    )
    // Building them over the whole table takes a fraction of the time.
    await client.query(DROP_INDEXES)
    await client.query('alter table service_orders disable trigger user')
    for (let start = await count('service_orders'); start < to; start += CHUNK) {
      const end = Math.min(to, start + CHUNK)
      await client.query(INSERT, [
        ...[start, end, 0, to, companies, brands],
        ...[FIRST_NAMES, LAST_NAMES, MODELS].map((list) => list.split(',')),
        PROBLEMS.split('|'),
      ])
      tell(`${end} orders`)
    }
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      'select name, definition from dropped_indexes where to_regclass(name) is null order by name',
    )
    for (const { name, definition } of indexes) {
      await client.query(definition)
      tell(name)
    }
    // Summed up once for all of them, as the migration does for existing orders.
    await client.query('alter table service_orders enable trigger user')
    if ((await count('order_totals')) === 0)
      await client.query(`begin; ${NOTE}; select fold_orders(); commit`)
    tell('sums')
    await client.query('vacuum (analyze)')
    await client.query('drop table dropped_indexes')
    await client.query('reset all')
  } finally {
    client.release()
  }
}

/** In one transaction: their definitions are kept as long as they are missing. */
const DROP_INDEXES = `
do $$ declare one record; begin
  create table if not exists dropped_indexes (name text primary key, definition text not null);
  for one in select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_index x
    join pg_class i on i.oid = x.indexrelid
    where x.indrelid = 'service_orders'::regclass and not x.indisprimary
      and not exists (select from dropped_indexes d where d.name = i.relname)
  loop
    insert into dropped_indexes values (one.name, one.definition);
    execute 'drop index ' || one.name;
  end loop;
end $$`

const pick = (list: string, k: number, skew = 1) =>
  `(${list})[1 + floor(cardinality(${list}) * pg_temp.u(i, ${k}) ^ ${skew})::int]`
const letter = (k: number) => `substr('ABCDEFGHJKLMNPRSTUVWXYZ', 1 + floor(23 * pg_temp.u(i, ${k}))::int, 1)`
const digits = (count: number, k: number) =>
  `lpad(floor(pg_temp.u(i, ${k}) * 1e${count})::bigint::text, ${count}, '0')`

/** 7919 and a million are coprime, so that every number occurs once. */
const INSERT = `
insert into service_orders (os_number, brand_id, company_id, status, conversion_status, opened_at, completed_at,
  cancelled_at, vehicle_model, vehicle_year, vehicle_color, vehicle_plate, vehicle_chassis, vehicle_mileage,
  customer_name, customer_email, customer_phone, customer_document, technician_name, problem_description,
  diagnosis, solution_applied, service_value, parts_value, created_at, updated_at)
select os_number, brand_id, company_id, status::order_status,
  case when status in ('completed', 'ready') then 'available' else 'not_started' end::conversion_status,
  opened_at,
  case status when 'completed' then opened_at + days end, case status when 'cancelled' then opened_at + days end,
  ${pick('$9::text[]', 1, 1.5)}, 2016 + floor(11 * pg_temp.u(i, 2))::int, 'Prata',
  ${[3, 4, 5].map(letter).join(' || ')} || ${digits(1, 6)}
    || case when pg_temp.u(i, 7) < 0.6 then substr('ABCDEFGHIJ', 1 + floor(10 * pg_temp.u(i, 8))::int, 1)
       else ${digits(1, 8)} end || ${digits(2, 9)},
  '9B' || ${[10, 11, 12].map(letter).join(' || ')} || ${digits(2, 13)} || ${[14, 15, 16, 17].map(letter).join(' || ')}
    || ${digits(6, 18)},
  floor(90000 * pg_temp.u(i, 19))::int,
  first || ' ' || ${pick('$8::text[]', 20, 1.6)} || ' ' || ${pick('$8::text[]', 21, 1.6)},
  fold(first) || i || '@exemplo.com.br',
  '(' || (11 + floor(80 * pg_temp.u(i, 22))::int) || ') 9' || ${digits(4, 23)} || '-' || ${digits(4, 24)},
  case when pg_temp.u(i, 25) < 0.9 then ${digits(11, 26)} else ${digits(8, 26)} || '0001' || ${digits(2, 27)} end,
  ${pick('$7::text[]', 28)} || ' ' || ${pick('$8::text[]', 29)},
  problem || '. Cliente relata que ocorre desde a última revisão.',
  case when pg_temp.u(i, 30) < 0.7 then 'Constatado em teste de rodagem: ' || problem || '.' end,
  case status when 'completed' then 'Componente substituído conforme boletim técnico; veículo testado e liberado.' end,
  round((300 * pg_temp.u(i, 31))::numeric, 2), round((2500 * pg_temp.u(i, 32) ^ 3)::numeric, 2),
  opened_at, opened_at
from (
  select i, lpad((i * 7919 % 1000000)::text, 6, '0') as os_number,
    ${pick('$6::bigint[]', 33, 1.8)} as brand_id, ${pick('$5::bigint[]', 34, 1.7)} as company_id,
    (array['completed', 'completed', 'completed', 'completed', 'completed', 'completed', 'completed', 'completed',
      'completed', 'completed', 'completed', 'completed', 'completed', 'cancelled', 'ready', 'in_progress',
      'pending', 'in_analysis', 'pending_upload', 'created'])[1 + floor(20 * pg_temp.u(i, 35))::int] as status,
    timestamptz '2023-07-01 00:00Z' + (i - $3::bigint + pg_temp.u(i, 36)) / ($4::bigint - $3::bigint) * interval '1096 days'
      as opened_at,
    (1 + 40 * pg_temp.u(i, 37) ^ 2) * interval '1 day' as days,
    ${pick('$7::text[]', 38, 2)} as first, ${pick('$10::text[]', 39)} as problem
  from generate_series($1::bigint, $2::bigint - 1) i) drawn`

const NOTE = `
insert into order_deltas (company_id, brand_id, status, day, customer, orders, cents, milliseconds)
select company_id, brand_id, status, (opened_at at time zone 'America/Sao_Paulo')::date, customer_identity, count(*),
  coalesce(sum((total_value * 100)::bigint) filter (where status = 'completed'), 0),
  coalesce(sum((extract(epoch from completed_at - opened_at) * 1000)::bigint) filter (where status = 'completed'), 0)
from service_orders
group by 1, 2, 3, 4, 5`
