// Bundles the programs of the product into the folder given as argument: node bundle.mjs FOLDER. Run by
// programs.mjs on the product's own Node.
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { PROGRAM_SOURCES } from '../src/standalone/programs.ts'
import { buildVerifier } from './verifier.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const dir = process.argv[2]
const input = Object.fromEntries(
  Object.entries(PROGRAM_SOURCES).map(([name, source]) => [name, join(root, source)]),
)
/**
 * Packages of many small modules, which take half of a start to load one by one. All others stay where they are:
 * some find files of theirs beside them.
 */
const BUNDLED = [
  'kysely',
  'zod',
  'hucre',
  'lucia',
  'oslo',
  '@oslojs',
  '@trpc',
  '@peculiar',
  'asn1js',
  'pvtsutils',
  'pvutils',
  'tslib',
]

const packageOf = (id) => id.split(`${sep}node_modules${sep}`).at(-1).split(sep)[0]
const isOwn = (id) => !id.includes(`${sep}node_modules${sep}`)
const fromBundle = (id) => relative(dir, id).split(sep).join('/')

const places = {
  name: 'places',
  async resolveId(source, importer, options) {
    if (!importer || source.startsWith('node:')) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!found || found.external || isOwn(found.id) || BUNDLED.includes(packageOf(found.id))) return found
    return { id: fromBundle(found.id), external: true }
  },
  /** A source finds its threads, pages and fonts where it lies, not where the bundle does. */
  transform: (code, id) =>
    isOwn(id) && code.includes('import.meta.url')
      ? {
          code: code.replaceAll('import.meta.url', `new URL('${fromBundle(id)}', import.meta.url).href`),
          // Lines stay as they are.
          map: null,
        }
      : null,
}

const bundle = await rolldown({ input, platform: 'node', plugins: [places], logLevel: 'warn' })
await bundle.write({
  dir,
  format: 'esm',
  entryFileNames: '[name].js',
  sourcemap: true,
  // Each program reads all maps when it starts, and the sources lie where these point to.
  sourcemapExcludeSources: true,
})
await writeFile(join(dir, 'verificar.html'), await buildVerifier(root))
