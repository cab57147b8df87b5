import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackage, mayInstall } from './debian.mjs'
import { Problem } from './processes.mjs'

/** Debian's headless-only Chromium: the same engine, in a sixth less time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', '/snap/bin']
const ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of the Chromium for the browser tests. Root on Debian or Ubuntu gets it installed when there is
 * none, and on CI when only the slower one is there.
 */
export async function findBrowser(env) {
  const found = installed(env)
  const isFast = found?.endsWith(HEADLESS_SHELL) || (found && found === env.CHROMIUM_PATH)
  if (mayInstall() && (!found || (env.CI && !isFast)))
    await installPackage(env, 'o Chromium', found ? [HEADLESS_SHELL] : [HEADLESS_SHELL, 'chromium'])
  const now = installed(env)
  if (now) return now
  throw new Problem('Os testes de tela precisam do Chromium. Instale-o, ou diga onde está em CHROMIUM_PATH.')
}

/** CHROMIUM_PATH where this machine has a Chromium; installs none. */
export function installedBrowser(env) {
  const CHROMIUM_PATH = installed(env)
  return CHROMIUM_PATH ? { CHROMIUM_PATH } : {}
}

function installed(env) {
  const folders = [...(env.PATH ?? '').split(delimiter), ...FOLDERS]
  const usual = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [env.CHROMIUM_PATH, ...usual, ...ON_MAC].find((path) => path && existsSync(path))
}
