import { join } from 'node:path'

/** What is run as a process of its own, by the name of its bundle. */
export const PROGRAM_SOURCES = {
  standalone: 'server/src/standalone.ts',
  migrate: 'server/src/migrate.ts',
  server: 'server/src/main.ts',
  worker: 'worker/src/main.ts',
  decoder: 'worker/src/decoder/main.ts',
  'decoder-service': 'worker/src/decoder/serve.ts',
  commands: 'worker/src/cli/main.ts',
  demo: 'worker/src/demo/main.ts',
}
export type Program = keyof typeof PROGRAM_SOURCES

/**
 * The file to run: from the folder of bundles that the launcher has made (PROGRAMS_DIR), or else the source, as
 * in `npm run dev`.
 */
export const programFile = (
  root: string,
  name: Program,
  { PROGRAMS_DIR }: { PROGRAMS_DIR?: string | undefined },
) => (PROGRAMS_DIR ? join(PROGRAMS_DIR, `${name}.js`) : join(root, PROGRAM_SOURCES[name]))
