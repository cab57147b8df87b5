import { fileURLToPath } from 'node:url'

const module = fileURLToPath(import.meta.resolve('@garantia/server/postgres'))

/** Lines for another process: starts PostgreSQL with the options in `args` and sends its address. */
export const START_POSTGRES = `
  const { startPostgres } = await import(${JSON.stringify(module)})
  const { stop, ended, ...postgres } = await startPostgres(args)
  tell('postgres', postgres)
  told('stop', () => stop().then(() => process.exit()))`
