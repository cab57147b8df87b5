import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Problem, run, say } from './processes.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const FOLDERS = ['/usr/bin', '/snap/bin']
const ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium that the browser tests drive; root on Debian or Ubuntu gets it installed. */
export async function findBrowser(env) {
  const found = installed(env)
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Instalando o Chromium…')
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }
    await run('apt-get', ['update', '-qq'], quiet)
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
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
