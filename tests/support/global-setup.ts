import { startTestPostgres } from './test-postgres.ts'

/** Of Vitest and Playwright alike: what it returns is called after the last test. */
export default startTestPostgres
