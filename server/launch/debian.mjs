import { existsSync } from 'node:fs'
import { run, say } from './processes.mjs'

/** Whether programs that npm does not bring may be installed here: root on Debian or Ubuntu. */
export const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs the first of the packages that can be; removes nothing. The caller looks whether it is there now. */
export async function installPackage(env, title, names) {
  say(`Instalando ${title}…`)
  const apt = (...args) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args, '-qq'], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  await apt('update')
  for (const name of names)
    if ((await apt('install', '-y', '--no-install-recommends', '--no-remove', name)) === 0) return
}
