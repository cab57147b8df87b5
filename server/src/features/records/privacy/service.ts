export { readAccesses } from './access-log.ts'
