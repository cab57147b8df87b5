import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

type Account = { uid: number; gid: number }
export type ChildScript = ReturnType<typeof runChildScript>
type ChildMessage = { name: string; value: unknown }

/**
 * Runs a few lines in a Node process of their own, so that it can be killed or use another account. They may
 * use `args`, `tell(name, value)` to send a message to the test, and `told(word, callback)` to receive one.
 */
export function runChildScript(folder: string, lines: string, args: unknown = {}, account?: Account) {
  const place = mkdtempSync(join(folder, 'script-'))
  chmodSync(place, 0o755)
  const script = join(place, 'script.mjs')
  writeFileSync(
    script,
    `const args = ${JSON.stringify(args)}
     const tell = (name, value) => process.connected && process.send({ name, value })
     const told = (word, callback) => process.on('message', (said) => said === word && callback())
     try { ${lines} } catch (error) { tell('problem', error.message) }`,
  )
  const child = spawn(process.execPath, [script], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const messages: ChildMessage[] = []
  child.on('message', (said: ChildMessage) => messages.push(said))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return {
    pid: child.pid ?? 0,
    ended,
    all: <T>(name: string) => messages.filter((said) => said.name === name).map(({ value }) => value as T),
    /** Waits for the nth message of this name and returns its value. */
    async waitForMessage<T>(name: string, nth = 1) {
      const found = () => messages.filter((said) => said.name === name)[nth - 1]
      await expect.poll(found, { timeout: 30_000, interval: 20 }).toBeDefined()
      return found()?.value as T
    },
    send: (word: string) => child.send(word),
    async kill9() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
