import { freshDatabase } from '../support/postgres.ts'
import { startProduct as start } from '../support/product.ts'

export type Product = Awaited<ReturnType<typeof startProduct>>

/**
 * The product as `npm start` runs it with a DATABASE_URL: server, worker and their supervisor on a folder and a
 * database of their own, copied from the run's template. What its own PostgreSQL adds is tested in runtime/.
 */
export async function startProduct(env: Record<string, string> = {}) {
  const database = await freshDatabase()
  const product = await start({ ...env, DATABASE_URL: database.url })
  return {
    ...product,
    async stop() {
      await product.stop()
      await database.drop()
    },
  }
}
