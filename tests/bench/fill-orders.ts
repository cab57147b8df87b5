import type pg from 'pg'
import { insertOrders } from './orders-data.ts'
import type { DatabaseContext } from './support.ts'

const EMAILS = { admin: 'admin@bench.exemplo.com.br', manager: 'gestor@bench.exemplo.com.br' }

type Makers = Pick<DatabaseContext, 'make' | 'kernel'>

/** A database of orders, and who asks about them. */
export interface FilledOrders {
  orders: number
  plain: pg.Pool
  /** Sessions of an administrator, and of a manager of a matriz with five filiais. */
  tokens: Record<keyof typeof EMAILS, string>
  brands: number[]
  companies: number[]
  /** The manager's company. */
  matriz: number
}

/** Makes brands, companies, two people and so many orders, unless they are there. */
export async function fillOrders(
  context: Makers,
  plain: pg.Pool,
  orders: number,
  tell: (text: string) => void,
): Promise<FilledOrders> {
  const people = await peopleOf(context)
  await insertOrders(plain, { to: orders, ...people }, tell)
  return { orders, plain, ...people, tokens: await tokensOf(context) }
}

/** Twelve brands, and two hundred companies in groups of a matriz and five filiais. */
async function peopleOf({ make, kernel }: Makers) {
  const { db } = kernel.ctx
  const idsOf = async (table: 'brands' | 'companies') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  const [brands, companies] = [await idsOf('brands'), await idsOf('companies')]
  for (let n = brands.length; n < 12; n++)
    brands.push((await make.brand({ slug: `bench-${n}`, display_name: `Marca ${n + 1}` })).id)
  while (companies.length < 200) {
    const first = companies.length - (companies.length % 6)
    const parent_id = companies.length % 6 === 0 ? null : (companies[first] ?? null)
    companies.push((await make.company({ parent_id, trading_name: `Grupo ${companies.length + 1}` })).id)
  }
  // Neither among the largest nor the smallest: the data give most orders to the first.
  const matriz = companies[12] ?? 0
  const known = await db.selectFrom('users').select('email').execute()
  const isKnown = (email: string) => known.some((one) => one.email === email)
  if (!isKnown(EMAILS.admin)) await make.user({ email: EMAILS.admin, role: 'admin', is_superuser: true })
  if (!isKnown(EMAILS.manager))
    await make.user({ email: EMAILS.manager, role: 'manager', company_id: matriz })
  return { brands, companies, matriz }
}

async function tokensOf({ kernel: { ctx } }: Makers) {
  const tokenOf = async (email: string) => {
    const { id } = await ctx.db
      .selectFrom('users')
      .where('email', '=', email)
      .select('id')
      .executeTakeFirstOrThrow()
    return ctx.sessions.open(id, { ip: null, user_agent: null })
  }
  return { admin: await tokenOf(EMAILS.admin), manager: await tokenOf(EMAILS.manager) }
}
