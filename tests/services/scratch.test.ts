import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { openKernel } from '@garantia/server/kernel'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const tmp = join(testApp.dir, 'tmp')

async function leftBy(owner: string) {
  await mkdir(join(tmp, owner, 'upload-x'), { recursive: true })
  await writeFile(join(tmp, owner, 'upload-x/0'), 'metade de um envio')
  return owner
}
async function deadProcess() {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid
}

test('a temporary folder is removed after its work, also when the work fails', async () => {
  const seen: string[] = []
  const work = ctx.scratch.within('teste', async (dir) => {
    seen.push(dir)
    await writeFile(join(dir, 'parte'), 'x')
    throw new Error('no meio')
  })
  await expect(work).rejects.toThrow('no meio')
  await expect(readdir(seen[0] ?? '')).rejects.toThrow('ENOENT')
})

test('folders of killed processes are removed at the next start; those of running processes stay (reliability 3)', async () => {
  const dead = await leftBy(`${await deadProcess()}@${hostname()}@abc`)
  const living = await leftBy(`${process.ppid}@${hostname()}@abc`)
  const otherHostFolder = await leftBy('1@outra-maquina@abc')
  const forgotten = await leftBy('2@outra-maquina@abc')
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  await utimes(join(tmp, forgotten), twoDaysAgo, twoDaysAgo)

  const next = await openKernel(ctx.config, ctx.log, { connections: 1 })
  const folders = await readdir(tmp)
  expect(folders).toEqual(expect.arrayContaining([living, otherHostFolder]))
  expect(folders).not.toContain(dead)
  expect(folders).not.toContain(forgotten)
  await next.close()
})
