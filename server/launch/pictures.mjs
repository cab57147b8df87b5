import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildClient } from './client.mjs'
import { run } from './processes.mjs'

/** Takes the pictures of the README and of the manual again. */
export async function pictures({ root, node, env }) {
  await buildClient({ root, node, env })
  const CHROMIUM_PATH = await findBrowser(env)
  return run(node, [join(root, 'tests/pictures/take.ts')], {
    cwd: join(root, 'tests'),
    env: { ...env, CHROMIUM_PATH },
  })
}
