import { randomBytes } from 'node:crypto'

/** Names this process among all that ever run on a database or a disk; a pid or a host name is used again. */
export const INSTANCE = randomBytes(6).toString('hex')

/** What a process does; in its log lines and, with the instance, in `pg_stat_activity`. */
export type Role = 'servidor' | 'worker' | 'operador' | 'migração'

export const applicationName = (role: Role, instance = INSTANCE) => `garantia ${role} ${instance}`
