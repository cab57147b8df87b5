import { spawn } from 'node:child_process'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { asAccount } from './privileges.ts'
import { StartProblem } from './problem.ts'
import type { DatabaseAccess } from './secrets.ts'

export const DATABASE = 'garantia'
/** Server and worker connect as this one; the owner of the database has the database's name. */
export const ROLE_IN_USE = 'garantia_app'

/** PostgreSQL needs only these variables, and must not see the secrets in our environment. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export type ClusterOptions = {
  dir: string
  binaries: string
  account: Account | undefined
  fsync: boolean
  socketDir: string | undefined
}

/**
 * Creates the data folder with our role and database. It is created under a temporary name and renamed at the
 * end: after a start that was killed midway, the next one begins again. Throws StartProblem with PostgreSQL's
 * output when it fails.
 */
export async function initialise(place: ClusterOptions, { password, admin_password }: DatabaseAccess) {
  const { dir, binaries, account, fsync } = place
  const temporary = join(dir, `pg.init.${process.pid}`)
  const password_file = join(dir, 'pg.password')
  const begun = () => readdirSync(dir).filter((name) => name.startsWith('pg.'))
  asAccount(account, () => {
    for (const name of begun()) rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 5 })
    writeFileSync(password_file, admin_password, { mode: 0o600 })
  })
  try {
    const who = ['-D', temporary, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password_file}`]
    const language = ['--locale=C', '--locale-provider=icu', '--icu-locale=pt-BR', '--encoding=UTF8']
    const habits = ['--no-instructions', ...(fsync ? [] : ['--no-sync'])]
    await run(join(binaries, 'bin/initdb'), [...who, ...language, ...habits], account)
  } finally {
    asAccount(account, () => rmSync(password_file, { force: true }))
  }
  await tell(place, temporary, [
    `create role ${DATABASE} login password '${password}'`,
    `create database ${DATABASE} owner ${DATABASE}`,
  ])
  asAccount(account, () => renameSync(temporary, join(dir, 'data')))
}

/**
 * Sets new passwords for a data folder whose secrets file was lost. Write access to the data implies
 * ownership, so this opens nothing new.
 */
export function resetPasswords(place: ClusterOptions, { password, admin_password }: DatabaseAccess) {
  return tell(place, join(place.dir, 'data'), [
    `alter role ${DATABASE} password '${password}'`,
    `alter role postgres password '${admin_password}'`,
  ])
}

/** Runs SQL while the server is stopped, in single-user mode, one statement per line. */
function tell({ binaries, account, fsync }: ClusterOptions, data: string, sql: string[]) {
  const args = ['--single', '-D', data, '-c', `fsync=${fsync ? 'on' : 'off'}`, 'postgres']
  return run(join(binaries, 'bin/postgres'), args, account, `${sql.join('\n')}\n`)
}

function run(program: string, args: string[], account: Account | undefined, input = '') {
  return new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: POSTGRES_ENV,
      stdio: 'pipe',
      detached: true,
    })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    child.stderr.on('data', (text) => {
      said += text
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(said)) return resolve()
      reject(new StartProblem(`O PostgreSQL embutido não pôde ser preparado:\n${said.trim()}`))
    })
  })
}
