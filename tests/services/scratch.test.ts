import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openScratch } from '../../server/src/kernel/scratch.ts'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const tmp = join(testApp.dir, 'tmp')
const SCRATCH = fileURLToPath(new URL('../../server/src/kernel/scratch.ts', import.meta.url))

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

/** Another process with a temporary folder, which says the folder's name once it has it. */
async function spawnOwner(dir: string) {
  const script = `import { openScratch } from ${JSON.stringify(SCRATCH)}
    process.stdout.write((await openScratch(process.argv[1])).folder)
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [name] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, name: name.toString() }
}

test('folders of killed processes are removed at the next start; those of others stay, frozen ones too, whatever their pid (reliability 3, 26)', async () => {
  const long = join(tmp, 'pasta-de-nome-comprido'.repeat(5))
  for (const dir of [tmp, long]) {
    const owners = await Promise.all([spawnOwner(dir), spawnOwner(dir), spawnOwner(dir)])
    const [killed, frozen, living] = owners
    try {
      frozen.child.kill('SIGSTOP')
      killed.child.kill('SIGKILL')
      await once(killed.child, 'exit')
      await mkdir(join(dir, killed.name, 'upload-x'))
      // As of another machine or an earlier version: its process cannot be asked.
      const other = `1@${hostname()}@abc`
      const forgotten = '2@outra-maquina@abc'
      for (const name of [other, forgotten]) await mkdir(join(dir, name))
      const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
      await utimes(join(dir, forgotten), twoDaysAgo, twoDaysAgo)

      const next = await openScratch(dir)
      expect((await readdir(dir)).filter((name) => name.includes('@')).sort()).toEqual(
        [next.folder, other, frozen.name, living.name, ...(dir === tmp ? [ctx.scratch.folder] : [])].sort(),
      )
      await next.close()
    } finally {
      for (const { child } of owners) child.kill('SIGKILL')
    }
  }
})

test('a folder that somebody removed is made again, with its lock', async () => {
  const scratch = await openScratch(tmp)
  await rm(join(tmp, scratch.folder), { recursive: true })
  await Promise.all([1, 2, 3].map(() => scratch.within('teste', (dir) => writeFile(join(dir, 'x'), 'x'))))
  await (await openScratch(tmp)).close()
  expect(await readdir(tmp)).toContain(scratch.folder)
  await scratch.close()
})
