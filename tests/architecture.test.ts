import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const PACKAGES = ['shared', 'migrations', 'server', 'worker', 'client', 'tests']

const PURE = 'shared is pure domain: zod and itself only.'
const HISTORY = 'A migration imports nothing of ours: what has run must not change with the code.'
const KERNEL = 'The kernel knows no feature and no transport.'
const NO_TRANSPORT = 'A use case knows no transport: neither Fastify, tRPC nor REST.'
const OWN_MODULES = "A feature asks another feature's service, never its inner modules."
const LAYERS =
  'Layers look down: api → claims → records, system → evidence → orders → people, catalogue → http → kernel.'
const TOOLKIT = 'http is a toolkit: it knows no feature and no call of its own.'
const COMPOSES = 'api composes routers and services; other modules of a feature are its own.'
const NO_WORKER = 'The server does not import the worker.'
const THIN_ROUTER = 'A router only translates: it calls its service and adds nothing.'
const EXPORTS = 'The worker enters the server through its exports: kernel and features/*.'
const MEDIA = 'media knows files, not orders and not the database.'
const BROWSER = 'The client imports the server only as a type: @garantia/server/router.'
const ONE_WAY = 'ui and lib know no feature: routes → features → ui, lib.'

/** The name of one of Biome's own rules. */
const rule = (name: string) => `lint/${name}`
const NO_NODE = rule('correctness/noNodejsModules')
const NO_PROCESS = rule('correctness/noProcessGlobal')
const NO_ENV = rule('style/noProcessEnv')
const UNDECLARED = rule('correctness/noUndeclaredDependencies')

/** The groups of features, each with those it must not import. */
const LAYERS_ABOVE: Record<string, string[]> = {
  catalogue: ['people', 'orders', 'evidence', 'records', 'system', 'claims'],
  people: ['catalogue', 'orders', 'evidence', 'records', 'system', 'claims'],
  orders: ['evidence', 'records', 'system', 'claims'],
  evidence: ['records', 'system', 'claims'],
  records: ['system', 'claims'],
  system: ['records', 'claims'],
  claims: [],
}

/** Place, import and message; «{n}» is replaced, so that each attempt has a place of its own. */
const FORBIDDEN: [place: string, tried: string, why: string][] = [
  ...[
    '@garantia/server/kernel',
    '@garantia/migrations/schema',
    'react',
    'fastify',
    'kysely',
    '@trpc/server',
    '../../server/src/app.ts',
    '../../worker/src/run.ts',
  ].map((from) => ['shared/src/orders/{n}.ts', from, PURE] as [string, string, string]),
  ['shared/src/orders/{n}.ts', 'node:fs', NO_NODE],
  ['shared/src/orders/{n}.ts', 'pg', UNDECLARED],
  ['shared/src/orders/{n}.ts', '= process.pid', NO_PROCESS],
  ['migrations/0{n}_orders.ts', '@garantia/shared/orders/status', HISTORY],
  ['migrations/0{n}_orders.ts', './schema.ts', HISTORY],
  ['migrations/0{n}_orders.ts', '../shared/src/errors.ts', HISTORY],
  ['worker/src/media/{n}.ts', '../../../server/src/kernel/open.ts', MEDIA],
  ['server/src/kernel/{n}.ts', '@trpc/server/adapters/fastify', KERNEL],
  ['server/src/kernel/{n}.ts', '../../../worker/src/run.ts', KERNEL],
  ['client/src/lib/{n}.ts', '../../../worker/src/run.ts', BROWSER],
  ['client/src/lib/{n}.ts', '../../../server/src/app.ts', BROWSER],
  ...[
    'fastify',
    '@fastify/helmet',
    '@trpc/server',
    '../http/errors.ts',
    '../features/orders/order/service.ts',
    '../api/router.ts',
    '@garantia/worker',
  ].map((from) => ['server/src/kernel/{n}.ts', from, KERNEL] as [string, string, string]),
  ['server/src/kernel/{n}.ts', '= process.env.HOME', NO_ENV],
  ...Object.entries(LAYERS_ABOVE).flatMap(([group, above]) => [
    // Three names without a rule of their own: every file that is not a transport is a use case.
    ...['service', 'present', 'whatever-comes-next'].flatMap((file): [string, string, string][] => {
      const place = `server/src/features/${group}/{n}/${file}.ts`
      return [
        [place, 'fastify', NO_TRANSPORT],
        [place, '@fastify/multipart', NO_TRANSPORT],
        [place, '@trpc/server', NO_TRANSPORT],
        [place, '@trpc/server/adapters/fastify', NO_TRANSPORT],
        [place, '../../../http/rest.ts', NO_TRANSPORT],
        [place, './router.ts', NO_TRANSPORT],
        [place, './rest.ts', NO_TRANSPORT],
        [place, '../../../api/endpoints.ts', LAYERS],
        [place, '../../../app.ts', LAYERS],
        [place, '../sibling/queries.ts', OWN_MODULES],
        [place, '../sibling/whatever.ts', OWN_MODULES],
        [place, '../../catalogue/companies/queries.ts', OWN_MODULES],
        [place, '@garantia/worker', NO_WORKER],
        [place, '../../../../../worker/src/run.ts', NO_WORKER],
        ...above.map((upper): [string, string, string] => [place, `../../${upper}/other/service.ts`, LAYERS]),
      ]
    }),
    ...['router', 'rest', 'tus'].flatMap((file): [string, string, string][] => {
      const place = `server/src/features/${group}/{n}/${file}.ts`
      return [
        [place, './queries.ts', THIN_ROUTER],
        [place, 'kysely', THIN_ROUTER],
        [place, 'pg', THIN_ROUTER],
        [place, '../sibling/rest.ts', OWN_MODULES],
        [place, '../../../api/endpoints.ts', LAYERS],
        ...above.map((upper): [string, string, string] => [place, `../../${upper}/other/service.ts`, LAYERS]),
      ]
    }),
  ]),
  ...['../features/orders/order/service.ts', '../api/endpoints.ts', '../app.ts'].map(
    (from) => ['server/src/http/{n}.ts', from, TOOLKIT] as [string, string, string],
  ),
  ['server/src/api/{n}.ts', '../features/orders/order/queries.ts', COMPOSES],
  ['server/src/api/{n}.ts', '../features/orders/order/moves.ts', COMPOSES],
  ['server/src/api/{n}.ts', '../main.ts', COMPOSES],
  ['server/src/features/orders/{n}/service.ts', '= process.env.HOME', NO_ENV],
  ...[
    '../../server/src/kernel/open.ts',
    '@garantia/server/app',
    '@garantia/server/router',
    '@garantia/migrations',
    '@garantia/client',
    'fastify',
    '@trpc/server',
  ].map((from) => ['worker/src/{n}.ts', from, EXPORTS] as [string, string, string]),
  ['worker/src/{n}.ts', 'react', UNDECLARED],
  ...[
    '@garantia/server/kernel',
    '@garantia/server/features/orders/order',
    'kysely',
    'pg',
    'graphile-worker',
    '../task.ts',
  ].map((from) => ['worker/src/media/{n}.ts', from, MEDIA] as [string, string, string]),
  ...[
    '@garantia/server/kernel',
    '@garantia/server/features/orders/order',
    '@garantia/server/app',
    '@garantia/worker',
    '@garantia/migrations/schema',
    'kysely',
    'fastify',
    '../../../../server/src/app.ts',
    '../../../../worker/src/run.ts',
  ].map((from) => ['client/src/features/{n}/screen.ts', from, BROWSER] as [string, string, string]),
  ['client/src/features/{n}/screen.ts', 'node:fs', NO_NODE],
  ['client/src/features/{n}/screen.ts', '= process.version', NO_PROCESS],
  [
    'client/src/features/{n}/screen.ts',
    '@blueprintjs/select',
    'Its Select fails axe and loses focus; use the native one in ui/.',
  ],
  [
    'client/src/features/{n}/screen.ts',
    'useForm from react-hook-form',
    'Its useForm moves the focus by a timer: use the one in ui/form/use-form.ts.',
  ],
  ['client/src/features/{n}/screen.ts', 'Popover from @blueprintjs/core', 'use PopoverNext.'],
  ...['ui', 'lib'].flatMap((folder): [string, string, string][] => [
    [`client/src/${folder}/{n}.ts`, '../features/orders/order-form.tsx', ONE_WAY],
    [`client/src/${folder}/{n}.ts`, '../layout/shell.tsx', ONE_WAY],
    [`client/src/${folder}/{n}.ts`, '@garantia/server/kernel', BROWSER],
    [`client/src/${folder}/{n}.ts`, '@garantia/worker', BROWSER],
  ]),
]

const ALLOWED: [place: string, tried: string][] = [
  ['shared/src/orders/{n}.ts', 'zod'],
  ['shared/src/orders/{n}.ts', '../errors.ts'],
  ['migrations/0{n}_orders.ts', 'kysely'],
  ['server/src/kernel/{n}.ts', '@garantia/shared/policy'],
  ['server/src/kernel/{n}.ts', '@garantia/migrations/schema'],
  ['server/src/kernel/{n}.ts', 'pg'],
  ['server/src/kernel/{n}.ts', 'node:fs'],
  ['server/src/features/orders/{n}/service.ts', './queries.ts'],
  ['server/src/features/orders/{n}/whatever-comes-next.ts', '../order/service.ts'],
  ['server/src/features/orders/{n}/service.ts', '../../catalogue/companies/service.ts'],
  ['server/src/features/records/{n}/service.ts', '../../evidence/package/service.ts'],
  ['server/src/features/claims/{n}/service.ts', '../../records/dossier/service.ts'],
  ['server/src/features/claims/{n}/service.ts', '../../orders/order/service.ts'],
  ['server/src/features/claims/{n}/whatever-comes-next.ts', '../claim/service.ts'],
  ['server/src/features/evidence/{n}/lease.ts', '../../orders/order/service.ts'],
  ['server/src/features/system/{n}/service.ts', '../../orders/order/service.ts'],
  ['server/src/features/orders/{n}/service.ts', '../../../kernel/context.ts'],
  ['server/src/features/orders/{n}/service.ts', '../../../kernel/storage/storage.ts'],
  ['server/src/features/orders/{n}/queries.ts', 'kysely'],
  ['server/src/features/orders/{n}/router.ts', './service.ts'],
  ['server/src/features/orders/{n}/rest.ts', '../../../http/rest.ts'],
  ['server/src/features/evidence/{n}/tus.ts', '@fastify/multipart'],
  ['server/src/api/{n}.ts', '../features/orders/order/rest.ts'],
  ['server/src/api/{n}.ts', '../features/system/live/service.ts'],
  ['server/src/api/{n}.ts', '../http/rest.ts'],
  ['server/src/http/{n}.ts', '../kernel/context.ts'],
  ['worker/src/{n}.ts', '@garantia/server/kernel'],
  ['worker/src/{n}.ts', '@garantia/server/features/evidence/conversion'],
  ['worker/src/media/{n}.ts', '@garantia/shared/evidence/formats'],
  ['worker/src/media/{n}.ts', './probe.ts'],
  ['client/src/features/{n}/screen.ts', 'type @garantia/server/router'],
  ['client/src/lib/{n}.ts', 'type @garantia/server/router'],
  ['client/src/features/{n}/screen.ts', '../../ui/form.tsx'],
]

interface Attempt {
  path: string
  place: string
  tried: string
  why: string
}
const attempts: Attempt[] = [...FORBIDDEN, ...ALLOWED].map(([place, tried, why = ''], n) => ({
  path: place.replace('{n}', `${100 + n}`),
  place,
  tried,
  why,
}))

function source(tried: string) {
  if (tried.startsWith('=')) return `export const tried ${tried}\n`
  if (tried.startsWith('type '))
    return `import type { Tried } from '${tried.slice(5)}'\n\nexport type Again = Tried\n`
  const [name, from] = tried.includes(' from ') ? tried.split(' from ') : ['tried', tried]
  return `import { ${name} } from '${from}'\n\nexport const again = ${name}\n`
}

/** All attempts are written into an empty copy of the repository's layout and linted with its own rules. */
const scratch = await mkdtemp(join(tmpdir(), 'garantia-comodos-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))
const complaints = await lintAttempts()

async function lintAttempts() {
  for (const file of [
    'biome.json',
    'client/looks.grit',
    'package.json',
    ...PACKAGES.map((name) => `${name}/package.json`),
  ]) {
    await mkdir(dirname(join(scratch, file)), { recursive: true })
    await cp(join(ROOT, file), join(scratch, file))
  }
  for (const { path, tried } of attempts) {
    await mkdir(dirname(join(scratch, path)), { recursive: true })
    await writeFile(join(scratch, path), source(tried))
  }
  const flags = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.']
  const biome = join(ROOT, 'node_modules/.bin/biome')
  const { stdout } = await run(biome, flags, { cwd: scratch, maxBuffer: 1 << 26 }).catch(
    (ended: { stdout: string }) => ended,
  )
  return groupByPath(JSON.parse(stdout))
}

interface Report {
  diagnostics: { category: string; message: string; location: { path: string }; advices?: unknown }[]
}
function groupByPath({ diagnostics }: Report) {
  const found = new Map<string, string>()
  for (const one of diagnostics)
    found.set(
      one.location.path,
      `${found.get(one.location.path) ?? ''}${one.category} ${JSON.stringify(one)}\n`,
    )
  return found
}

test('the repository has exactly the expected packages (INST-4)', async () => {
  const found = await readdir(ROOT, { withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ name }) => name)
  expect(files).toEqual(expect.arrayContaining(['package.json', 'pnpm-workspace.yaml', 'tsconfig.json']))
  const folders = found.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const made = (name: string) => name.startsWith('.') || ['node_modules', 'data', 'docs'].includes(name)
  expect(folders.filter((name) => !made(name)).sort()).toEqual([...PACKAGES].sort())
})

describe('a forbidden import is refused with its reason', () => {
  test.each(attempts.filter(({ why }) => why !== ''))('$place: $tried', ({ path, why }) => {
    expect(complaints.get(path)).toContain(JSON.stringify(why).slice(1, -1))
  })
})

describe('an allowed import passes', () => {
  test.each(attempts.filter(({ why }) => why === ''))('$place: $tried', ({ path }) => {
    expect(complaints.get(path)).toBeUndefined()
  })
})

describe('what a package does not export or declare does not resolve', () => {
  /** As an import in that package resolves it; require() would also look where pnpm's own shims point it. */
  async function resolveFrom(packageName: string, name: string) {
    const code = `console.log(import.meta.resolve(${JSON.stringify(name)}))`
    const flags = ['--input-type=module', '--eval', code]
    const { stdout } = await run(process.execPath, flags, { cwd: join(ROOT, packageName) })
    return fileURLToPath(stdout.trim())
  }

  test.each([
    ['worker', '@garantia/server/http/rest', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['worker', '@garantia/server/src/http/rest.ts', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['worker', '@garantia/server', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['tests', '@garantia/server/kernel/database', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['client', '@garantia/server/router', 'ERR_PACKAGE_PATH_NOT_EXPORTED'],
    ['shared', '@garantia/server', 'ERR_MODULE_NOT_FOUND'],
    ['shared', '@garantia/server/kernel', 'ERR_MODULE_NOT_FOUND'],
    ['shared', 'fastify', 'ERR_MODULE_NOT_FOUND'],
    ['migrations', '@garantia/server/kernel', 'ERR_MODULE_NOT_FOUND'],
    ['server', '@garantia/worker', 'ERR_MODULE_NOT_FOUND'],
    ['client', '@garantia/worker', 'ERR_MODULE_NOT_FOUND'],
    ['client', 'kysely', 'ERR_MODULE_NOT_FOUND'],
  ])('%s: %s', async (packageName, name, code) => {
    await expect(resolveFrom(packageName, name)).rejects.toThrow(code)
  })

  test.each([
    ['worker', '@garantia/server/kernel', 'server/src/kernel/index.ts'],
    [
      'worker',
      '@garantia/server/features/evidence/conversion',
      'server/src/features/evidence/conversion/service.ts',
    ],
    ['server', '@garantia/shared/policy', 'shared/src/policy.ts'],
    ['server', '@garantia/migrations', 'migrations/index.ts'],
  ])('what a package exports and declares resolves: %s: %s', async (packageName, name, file) => {
    expect(await resolveFrom(packageName, name)).toBe(join(ROOT, file))
  })
})
