import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '@garantia/server/app'
import { houseKeys } from '@garantia/server/features/records/dossier'
import { publicKeyOf, readConfig } from '@garantia/server/kernel'
import { readSecrets, signingEnvironment } from '@garantia/server/secrets'
import { afterAll, expect, test } from 'vitest'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp } from '../support/test-app.ts'
import { operatorCommand } from './process.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const file = join(testApp.dir, 'secrets.json')
const clerk = await testApp.as(await testApp.make.user({ is_superuser: true }))
const picture = await testApp.make.evidence()

/** The server as it starts with the keys that the installation has now; the database is the same. */
async function restarted() {
  const { SIGNING_KEY = '', SIGNING_KEY_PREVIOUS = '' } = signingEnvironment({}, file)
  const { ctx } = testApp.kernel
  const keys = { SIGNING_KEY, SIGNING_KEY_PREVIOUS: SIGNING_KEY_PREVIOUS.split(',').filter(Boolean) }
  const app = await buildApp({ ...ctx, config: { ...ctx.config, ...keys } })
  const status = async (url: string) => (await app.inject({ url })).statusCode
  return {
    status,
    async addresses() {
      const headers = { authorization: `Bearer ${clerk.token}` }
      const detail = await app.inject({ url: `/api/v1/evidence/${picture.id}`, headers })
      expect(detail.statusCode).toBe(200)
      return detail.json().original_url as string
    },
    close: () => app.close(),
  }
}

test('another key signs from the next start, the former counts until it is forgotten, and sessions stay', async () => {
  await writeFile(
    file,
    JSON.stringify({ signing_key: SIGNING_KEY, database: { port: 1, password: 'p', admin_password: 'a' } }),
  )
  const before = await restarted()
  const old = await before.addresses()
  expect(await before.status(old)).toBe(200)
  await before.close()

  const rotated = await operatorCommand(testApp, ['trocar-chave'])
  expect(rotated).toMatchObject({ code: 0, err: '' })
  const now = readSecrets(file)
  expect(now).toMatchObject({ previous_signing_keys: [SIGNING_KEY], database: { password: 'p' } })
  expect(now.signing_key).toMatch(/^[0-9a-f]{64}$/)
  expect(now.signing_key).not.toBe(SIGNING_KEY)
  expect(rotated.out).not.toContain(now.signing_key)

  const after = await restarted()
  const fresh = await after.addresses()
  expect(fresh).not.toBe(old)
  expect([await after.status(old), await after.status(fresh)]).toEqual([200, 200])
  await after.close()

  const env = { SIGNING_KEY: now.signing_key ?? '' }
  const forgotten = await operatorCommand(testApp, ['trocar-chave', '--esquecer-anterior', '--json'], env)
  expect(JSON.parse(forgotten.out)).toEqual({ forgotten: 1 })
  // Not for addresses; the authentication codes of its events are verified for years.
  expect(signingEnvironment({}, file)).toMatchObject({
    SIGNING_KEY_PREVIOUS: '',
    SIGNING_KEY_RETIRED: SIGNING_KEY,
  })
  const without = await restarted()
  expect([await without.status(old), await without.status(fresh)]).toEqual([404, 200])
  expect(await without.addresses()).toBe(fresh)
  await without.close()
  expect((await operatorCommand(testApp, ['trocar-chave', '--esquecer-anterior'], env)).code).toBe(3)
})

test('a key of the environment is not changed, and the operator is told how', async () => {
  await writeFile(file, JSON.stringify({ signing_key: 'a'.repeat(64) }))
  const { code, out } = await operatorCommand(testApp, ['trocar-chave'])
  expect(code).toBe(2)
  expect(out).toContain('SIGNING_KEY_PREVIOUS')
  expect(readSecrets(file)).toEqual({ signing_key: 'a'.repeat(64) })
  const named = { SIGNING_KEY, SIGNING_KEY_PREVIOUS: 'b'.repeat(64), DOSSIER_KEY }
  expect(signingEnvironment(named, file)).toEqual({})
})

test('another key signs dossiers from the next start, and the former stays published', async () => {
  await writeFile(file, JSON.stringify({ signing_key: SIGNING_KEY, dossier_key: DOSSIER_KEY }))
  const { ctx } = testApp.kernel
  const [before] = houseKeys(ctx)
  const rotated = await operatorCommand(testApp, ['trocar-chave-dossies', '--json'])
  const { id } = JSON.parse(rotated.out)
  const { dossier_key = '' } = readSecrets(file)
  expect(rotated.out).not.toContain(dossier_key)
  expect(readSecrets(file)).toMatchObject({
    signing_key: SIGNING_KEY,
    previous_dossier_keys: [publicKeyOf(DOSSIER_KEY)],
  })
  const started = readConfig({ DATABASE_URL: testApp.url, ...signingEnvironment({}, file) })
  expect(houseKeys({ ...ctx, config: started })).toEqual([
    expect.objectContaining({ id, is_current: true }),
    { ...before, is_current: false },
  ])
  const listed = await operatorCommand(testApp, ['trocar-chave-dossies', '--listar'], {
    DOSSIER_KEY: dossier_key,
    DOSSIER_KEY_PREVIOUS: publicKeyOf(DOSSIER_KEY),
  })
  expect(listed.out.match(/^([0-9a-f]{4} ){8} (atual|anterior)$/gm)).toHaveLength(2)
})

test('a key of dossiers from the environment is not changed, and the operator is told what to keep', async () => {
  await writeFile(file, JSON.stringify({ dossier_key: 'a'.repeat(64) }))
  const { code, out } = await operatorCommand(testApp, ['trocar-chave-dossies'])
  expect([code, out]).toEqual([2, expect.stringContaining(publicKeyOf(DOSSIER_KEY))])
  expect(readSecrets(file)).toEqual({ dossier_key: 'a'.repeat(64) })
})
