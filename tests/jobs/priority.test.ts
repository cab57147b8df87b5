import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The priority of a process after these lines. */
async function priorityAfter(lines: string) {
  const module = new URL('../../worker/src/priority.ts', import.meta.url)
  const script = `import { getPriority, setPriority } from 'node:os'
    import { lowerPriority } from '${module}'
    ${lines}
    console.log(getPriority())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return Number(stdout)
}

test('a process that was started at the lowest priority keeps it', async () => {
  // Raising it again is refused to everybody but root.
  expect(await priorityAfter('setPriority(19); lowerPriority(10)')).toBe(19)
})

test('a process lowers its priority, and runs on where it may not', async () => {
  expect(await priorityAfter('lowerPriority(10); lowerPriority(12, 2 ** 31 - 1)')).toBe(10)
})
