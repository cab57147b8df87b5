import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startProduct } from '../support/product.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const dir = temporaryFolder('demonstracao')
const env = { DATA_DIR: dir, DEMO_PASSWORD: 'senha-da-demonstracao' }
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const signIn = async (url: string, username: string, password: string) =>
  fetch(`${url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
const remove = () =>
  promisify(execFile)(process.execPath, [join(ROOT, 'server/src/standalone.ts'), 'worker', 'remover-demo'], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dir },
  }).catch((failed: { stderr: string }) => failed)

test('npm start -- --demo prints sample users, continues at the next start, and is removed with one command', {
  tags: ['exhaustive'],
  timeout: 480_000,
}, async () => {
  const first = await startProduct(env, ['--demo'])
  await expect.poll(() => first.output()).toContain('helena@demo.example')
  expect(first.output()).toContain('com a senha senha-da-demonstracao')
  expect((await signIn(first.url, 'rafael@demo.example', env.DEMO_PASSWORD)).status).toBe(200)
  expect(await first.stop({ keep: true })).toBe(0)

  const second = await startProduct(env, ['--demo'])
  expect(second.output()).toContain('a senha são as que foram mostradas no primeiro início')
  expect(second.output()).not.toContain(env.DEMO_PASSWORD)
  expect((await signIn(second.url, 'rafael@demo.example', env.DEMO_PASSWORD)).status).toBe(200)
  expect(await remove()).toMatchObject({ stdout: expect.stringContaining('Demonstração removida') })
  expect((await signIn(second.url, 'rafael@demo.example', env.DEMO_PASSWORD)).status).toBe(400)
  expect((await signIn(second.url, second.firstSuperuser.email, second.firstSuperuser.password)).status).toBe(
    200,
  )
  expect(await remove()).toMatchObject({ stderr: expect.stringContaining('não é uma demonstração') })
  expect(await second.stop({ keep: true })).toBe(0)
})

test('npm start -- --demo refuses a database with data, with a message, and exits', {
  timeout: 480_000,
  tags: ['exhaustive'],
}, async () => {
  const plain = await startProduct({ DATA_DIR: dir })
  const { access_token } = (await (
    await signIn(plain.url, plain.firstSuperuser.email, plain.firstSuperuser.password)
  ).json()) as {
    access_token: string
  }
  const made = await fetch(`${plain.url}/api/v1/brands/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
  })
  expect(made.status).toBe(200)
  expect(await plain.stop({ keep: true })).toBe(0)
  await expect(startProduct(env, ['--demo'])).rejects.toThrow(
    /Este banco já tem dados[\s\S]*|encerrou com o código 1/,
  )
})
