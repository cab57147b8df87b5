import { join } from 'node:path'

export type Program = 'server' | 'worker' | 'os-worker' | 'demo'
const SOURCES: Record<Program, string> = {
  server: 'server/src/main.ts',
  worker: 'worker/src/main.ts',
  'os-worker': 'worker/src/cli/main.ts',
  demo: 'worker/src/demo/main.ts',
}

/**
 * The file to run: from the folder of bundles that the launcher has made (PROGRAMS_DIR), or else the source, as
 * in `npm run dev`.
 */
export const programFile = (root: string, name: Program, { PROGRAMS_DIR }: NodeJS.ProcessEnv) =>
  PROGRAMS_DIR ? join(PROGRAMS_DIR, `${name}.js`) : join(root, SOURCES[name])
