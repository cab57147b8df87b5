import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '@garantia/server/kernel'
import { programFile } from '@garantia/server/programs'
import { expect, test } from 'vitest'
import { SECRETS } from '../../server/src/kernel/secret-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { DOSSIER_KEY, SIGNING_KEY, startTestApp } from '../support/test-app.ts'

const dir = temporaryFolder('segredos')
function fileWith(name: string, content: string) {
  const file = join(dir, name)
  writeFileSync(file, content)
  return file
}
const given = { DATABASE_URL: 'postgres://x', SIGNING_KEY, DOSSIER_KEY }
const VALUES: Record<(typeof SECRETS)[number], string> = {
  ...given,
  MIGRATION_DATABASE_URL: 'postgres://dono',
  SIGNING_KEY_PREVIOUS: DOSSIER_KEY,
  SIGNING_KEY_RETIRED: DOSSIER_KEY,
  SMTP_URL: 'smtp://quem:senha@correio',
  OIDC_CLIENT_SECRET: 'segredo do diretório',
  FIRST_SUPERUSER_PASSWORD: 'senha do primeiro',
  DEMO_PASSWORD: 'senha da demonstração',
  TSA_URL: 'https://quem:senha@carimbo',
  TSA_TOKEN: 'ficha',
  BACKUP_PASSPHRASE: 'uma frase muito longa',
  S3_ACCESS_KEY_ID: 'chave',
  S3_SECRET_ACCESS_KEY: 'segredo do balde',
}

test.each(SECRETS)('%s may be a file: its content without the last newline', (name) => {
  const file = fileWith(name, `${VALUES[name]}\n`)
  const others = { ...given, S3_BUCKET: 'balde', ...VALUES, [name]: undefined }
  const config = (env: object) => readConfig({ ...others, ...env })
  expect(config({ [`${name}_FILE`]: file })).toEqual(config({ [name]: VALUES[name] }))
  expect(() => config({ [name]: VALUES[name], [`${name}_FILE`]: file })).toThrow(
    `  ${name} e ${name}_FILE foram dadas: deixe só uma`,
  )
  expect(() => config({ [`${name}_FILE`]: join(dir, 'nenhum') })).toThrow(
    `  ${name}_FILE não pôde ser lido: ${join(dir, 'nenhum')} (ENOENT)`,
  )
})

test('an empty file is an absent value, and all that is wrong is named at once', () => {
  const empty = fileWith('vazio', '\n')
  expect(readConfig({ ...given, SMTP_URL_FILE: empty }).SMTP_URL).toBeUndefined()
  const wrong = { ...given, PORT: 'x', SIGNING_KEY: '', SIGNING_KEY_FILE: dir, DOSSIER_KEY_FILE: empty }
  expect(() => readConfig(wrong)).toThrow(
    new RegExp(
      [
        `  SIGNING_KEY_FILE não pôde ser lido: ${dir} \\(EISDIR\\)`,
        '  DOSSIER_KEY e DOSSIER_KEY_FILE foram dadas: deixe só uma',
        '  PORT .*',
      ].join('\\n'),
    ),
  )
})

test('every setting whose name says that it is secret is one of them', async () => {
  const config = Object.keys(readConfig({ ...given, S3_BUCKET: 'balde' }))
  const isSecret = (name: string) =>
    /(_KEY|_KEY_ID|SECRET|PASSWORD|PASSPHRASE|TOKEN)$|^(SMTP|DATABASE)_URL/.test(name)
  expect(config.filter(isSecret).filter((name) => !SECRETS.some((secret) => secret === name))).toEqual([])
})

test('a command gets the files of the database and of the keys as they were given', async () => {
  await using testApp = await startTestApp()
  const { email } = await testApp.make.user()
  const { PATH, PROGRAMS_DIR } = process.env
  const env = {
    PATH,
    PROGRAMS_DIR,
    DATA_DIR: testApp.dir,
    DATABASE_URL_FILE: fileWith('banco', `${testApp.url}\n`),
    SIGNING_KEY_FILE: fileWith('chave', `${SIGNING_KEY}\n`),
    DOSSIER_KEY_FILE: fileWith('chave-dos-dossies', `${DOSSIER_KEY}\n`),
  }
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const args = [programFile(root, 'standalone', process.env), 'worker', 'usuarios', 'listar']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
  expect(stdout).toContain(email)
})
