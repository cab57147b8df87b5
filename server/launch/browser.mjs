import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Problem, run, say } from './processes.mjs'

/** Debian's Chromium without windows: the same engine for a sixth less time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', '/snap/bin']
const ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The Chromium that the browser tests drive. Root on Debian or Ubuntu gets it installed where there is none, and on
 * a build machine where there is only the slower one.
 */
export async function findBrowser(env) {
  const found = installed(env)
  const isFast = found?.endsWith(HEADLESS_SHELL) || (found && found === env.CHROMIUM_PATH)
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (mayInstall && (!found || (env.CI && !isFast))) {
    say('Instalando o Chromium…')
    const apt = (...args) =>
      run('apt-get', [...args, '-qq'], { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } })
    const install = (name) => apt('install', '-y', '--no-install-recommends', '--no-remove', name)
    await apt('update')
    if ((await install(HEADLESS_SHELL)) !== 0 && !found) await install('chromium')
  }
  const now = installed(env)
  if (now) return now
  throw new Problem('Os testes de tela precisam do Chromium. Instale-o, ou diga onde está em CHROMIUM_PATH.')
}

function installed(env) {
  const folders = [...(env.PATH ?? '').split(delimiter), ...FOLDERS]
  const usual = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [env.CHROMIUM_PATH, ...usual, ...ON_MAC].find((path) => path && existsSync(path))
}
