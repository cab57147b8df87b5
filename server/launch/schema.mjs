import { join } from 'node:path'
import { run } from './processes.mjs'

/** Writes migrations/schema.ts anew, from a database that the migrations have just made. */
export const schema = ({ root, node, env }) =>
  run(node, [join(root, 'tests/schema/write.ts')], { cwd: join(root, 'tests'), env })
