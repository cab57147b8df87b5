import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ignore from '@balena/dockerignore'
import { expect, test } from 'vitest'

/* What enters the build of the image, as Docker and Podman read .dockerignore. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const listed = (...args: string[]) =>
  execFileSync('git', ['ls-files', '-z', ...args], { cwd: ROOT })
    .toString()
    .split('\0')
    .filter(Boolean)
const entering = (paths: string[]) =>
  ignore()
    .add(readFileSync(`${ROOT}.dockerignore`, 'utf8'))
    .filter(paths)

test('sources and manifests enter the image’s build, and nothing else of the work tree', () => {
  const all = listed('-co', '--exclude=node_modules')
  const sources = listed('-co', '--exclude-standard')
  const entered = entering(all)
  expect(entered.filter((path) => !sources.includes(path))).toEqual([])
  const places = entered.map((path) => path.split('/').slice(0, 2).join('/'))
  expect(
    [...new Set(places)].filter((place) => !/^migrations\/|\.(json|yaml|ts|mjs|html)$/.test(place)).sort(),
  ).toEqual([
    'client/patches',
    'client/public',
    'client/src',
    'docs/ajuda',
    'server/docs',
    'server/launch',
    'server/src',
    'shared/src',
    'worker/src',
  ])
  const built =
    /^(migrations|docs\/ajuda|(client|server|shared|worker)\/(src|public|launch|docs))\/|(^|\/)(package|tsconfig)\.json$/
  expect(sources.filter((path) => built.test(path) && !entered.includes(path))).toEqual([])
})

test.each([
  'server/deploy/.env',
  'server/deploy/secrets/signing_key',
  'data/secrets.json',
  'data/files/os/1/evidencias/original.jpg',
  'data/postgres/data/PG_VERSION',
  '.git/config',
  '.env',
  'key.pem',
  'server/src/tls.pem',
  'server/src/kernel/tls.key',
  'client/src/.env.local',
  'worker/src/secrets.json',
  'migrations/customers.dump',
  'node_modules/zod/package.json',
  'server/node_modules/zod/package.json',
  'server/dist/0123/server.js',
  'client/dist/index.html',
  'tests/.artifacts/trace.zip',
  'tests/fixtures/foto.jpg',
  'backup.tar.gz',
  'notas.txt',
])('%s does not enter', (path) => {
  expect(entering([path])).toEqual([])
})
