import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openOrder } from '@garantia/server/features/orders/order'
import { createUser } from '@garantia/server/features/people/users'
import { verifyChains } from '@garantia/server/features/records/chain'
import {
  backUp,
  checkBackup,
  houseTrust,
  restoreBackup,
  tryBackup,
} from '@garantia/server/features/system/backup'
import { type Ctx, inTransaction } from '@garantia/server/kernel'
import { orderInput } from '@garantia/shared/orders/schema'
import { userInput } from '@garantia/shared/users/schema'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
// The forger has the program too.
import { writeManifest } from '../../server/src/features/system/backup/manifest.ts'
import { openPlace } from '../../server/src/features/system/backup/place.ts'
import { backupFaultText } from '../../worker/src/verification.ts'
import { DONE, FAILED, FOUND, objectsIn, openBackupFixture, PASSPHRASE } from './backup-fixture.ts'

/** What a forger changes who has the role in use, or may write to the place of the backups; each is named. */
const fixture = await openBackupFixture()
const { testApp, ctx, folder, run, bareMachine } = fixture
afterAll(() => fixture[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const company_id = (await testApp.make.company()).id
const brand_id = (await testApp.make.brand()).id
await ctx.db.insertInto('brand_companies').values({ brand_id, company_id }).execute()
const password = 'uma senha bem longa'
const [ana, rui] = await Promise.all(
  ['Ana', 'Rui'].map((full_name) =>
    createUser(
      boss.ctx,
      userInput.parse({
        ...{ full_name, email: `${full_name}@exemplo.com.br`, role: 'manager', company_id },
        ...{ password, confirm_password: password },
      }),
    ),
  ),
)
const order = await openOrder(
  boss.ctx,
  orderInput.parse({ os_number: '000123', brand_id, company_id, customer_name: 'Bia', parts_value: 100 }),
)
const of = ana?.id ?? 0

class Undone extends Error {}
/** What the verification says of the change, which is undone afterwards. */
async function foundAfter(change: string) {
  const before = await problemsIn(ctx)
  let after: string[] = []
  const forging = inTransaction(ctx, async (ctx) => {
    await sql.raw(change).execute(ctx.db)
    after = await problemsIn(ctx)
    throw new Undone()
  })
  await forging.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
  return after.filter((problem) => !before.includes(problem))
}
const problemsIn = async (ctx: Ctx) =>
  (await verifyChains(ctx)).faults.map(
    ({ subject, subject_id, problem }) => `${subject} ${subject_id} ${problem}`,
  )

const ROWS: [string, string, RegExp][] = [
  [
    'a superuser',
    `update users set is_superuser = true where id = ${of}`,
    /Ana: .* o superusuário de não para sim/,
  ],
  ['a role', `update users set role = 'admin' where id = ${of}`, /Ana: .* a função de manager para admin/],
  [
    'a company',
    `update users set company_id = null where id = ${of}`,
    /Ana: .* a empresa de \d+ para nenhuma/,
  ],
  [
    'an account that is off',
    `update users set is_active = false where id = ${of}`,
    /Ana: .* a conta ativa de sim para não/,
  ],
  ['a login', `update users set email = 'x@y.z' where id = ${of}`, /Ana: .* o login/],
  ['a password', `update users set password_hash = 'x' where id = ${of}`, /Ana: .* a senha/],
  [
    'a second factor',
    `insert into totp_secrets (user_id, encrypted_secret, confirmed_at) values (${of}, 'x', now())`,
    /Ana: .* a verificação em duas etapas/,
  ],
  [
    'a recovery code',
    `insert into recovery_codes (user_id, code_hash) values (${of}, repeat('a', 64))`,
    /Ana: .* os códigos de recuperação/,
  ],
  [
    'a passkey',
    `insert into passkeys (user_id, credential_id, public_key, counter, name) values (${of}, 'x', '\\x00', 0, 'x')`,
    /Ana: .* as chaves de acesso/,
  ],
  [
    'an account of the directory',
    `insert into directory_accounts (issuer, subject, user_id) values ('x', 'x', ${of})`,
    /Ana: .* o vínculo com o diretório/,
  ],
  [
    'an API token',
    `insert into api_tokens (user_id, name, prefix, token_hash, expires_at) values (${of}, 'x', 'xxxx', repeat('a', 64), now())`,
    /Ana: .* os tokens de API/,
  ],
  [
    'another person',
    `insert into users (email, full_name, password_hash, role, is_superuser) values ('ze@exemplo.com.br', 'Zé', 'x', 'admin', true)`,
    /Zé: a conta existe sem o evento que a abriu/,
  ],
  ['a person less', `delete from users where id = ${rui?.id}`, /user \d+ a conta foi apagada sem o evento/],
  [
    'an amount',
    `update service_orders set parts_value = 900 where id = ${order.id}`,
    /order \d+ .* «Valor das peças» de 100 para 900/,
  ],
  [
    'a name',
    `update service_orders set customer_name = 'Caio' where id = ${order.id}`,
    /order \d+ .* «Nome do cliente» de Bia para Caio/,
  ],
  [
    'a status',
    `update service_orders set status = 'completed', completed_at = now() where id = ${order.id}`,
    /order \d+ .* «Status»/,
  ],
  [
    'an order in the bin',
    `update service_orders set deleted_at = now() where id = ${order.id}`,
    /foi excluída/,
  ],
  ['an order less', `delete from service_orders where id = ${order.id}`, /a OS foi apagada/],
  [
    'an event',
    `insert into events (subject, subject_id, kind, actor_name) values ('user', ${of}, 'changed', 'Ana')`,
    /user \d+ sem o código de autenticação/,
  ],
]

test('the role in use: every kind of row that is changed past the application is named', async () => {
  expect(await problemsIn(ctx)).not.toContainEqual(expect.stringMatching(/^user /))
  const missed: string[] = []
  for (const [kind, change, named] of ROWS) {
    const found = await foundAfter(change)
    if (!found.some((problem) => named.test(problem))) missed.push(`${kind}: ${found.join(', ')}`)
  }
  expect(missed).toEqual([])
  await expect(sql`insert into unrecorded values ('user', ${of})`.execute(ctx.db)).rejects.toThrow(
    'permission denied',
  )
})

const SAFE: Ctx = { ...ctx, config: { ...ctx.config, ...PASSPHRASE } }
const STRANGER = { ...ctx.config, DOSSIER_KEY: 'ab'.repeat(32) }
const to = folder()
const older = await backUp(ctx, { to, passphrase: PASSPHRASE.BACKUP_PASSPHRASE })
const { contents } = await backUp(
  { ...ctx, clock: () => new Date(Date.now() + 5_000) },
  { to, passphrase: PASSPHRASE.BACKUP_PASSPHRASE },
)
const { id } = contents

/** A place with the same backups, which the forger changes. */
async function copied() {
  const place = folder()
  await cp(to, place, { recursive: true })
  const path = (name: string) => join(place, 'backups', id, name)
  const write = async (name: string, content: Buffer | string) => {
    await chmod(path(name), 0o600)
    await writeFile(path(name), content)
  }
  return {
    place,
    path,
    write,
    manifest: async () => JSON.parse(await readFile(path('manifest.json'), 'utf8')),
  }
}
type Copy = Awaited<ReturnType<typeof copied>>

/** Makes everybody a superuser, and mends all sums. */
async function forgeTable({ path, write, manifest }: Copy) {
  const said = await manifest()
  const table = said.tables.find(({ name }: { name: string }) => name === 'users')
  const column = table.columns.indexOf('is_superuser')
  const lines = gunzipSync(await readFile(path('tables/users.copy.gz')))
    .toString()
    .split('\n')
  const forged = lines
    .map((line) =>
      line
        .split('\t')
        .map((cell, n) => (n === column ? 't' : cell))
        .join('\t'),
    )
    .join('\n')
  await write('tables/users.copy.gz', gzipSync(forged))
  table.sha256 = createHash('sha256').update(forged).digest('hex')
  table.bytes = Buffer.byteLength(forged)
  return said
}
async function writeSigned({ place }: Copy, said: typeof contents, config = STRANGER) {
  const opened = await openPlace(ctx, place)
  await rm(join(place, 'backups', said.id, 'manifest.json'))
  await opened.within((dir) => writeManifest(opened, dir, said, config))
}
async function flip(path: string) {
  const whole = await readFile(path)
  whole[whole.length >> 1] = (whole[whole.length >> 1] ?? 0) ^ 1
  await chmod(path, 0o600)
  await writeFile(path, whole)
}
const without = ({ manifest_sha256: _, signer: __, signature: ___, ...said }: Record<string, unknown>) => said
const sumOf = (said: object) => createHash('sha256').update(JSON.stringify(said)).digest('hex')

const FILES: [string, (copy: Copy) => Promise<unknown>, RegExp][] = [
  [
    'a table whose sums are mended',
    async (copy) => {
      const said = without(await forgeTable(copy))
      const { signer, signature } = await copy.manifest()
      await copy.write(
        'manifest.json',
        JSON.stringify({ ...said, manifest_sha256: sumOf(said), signer, signature }),
      )
    },
    /O manifesto do backup .* foi alterado/,
  ],
  [
    'the same without a signature',
    async (copy) => {
      const said = without(await forgeTable(copy))
      await copy.write('manifest.json', JSON.stringify({ ...said, manifest_sha256: sumOf(said) }))
    },
    /manifest\.json: sem assinatura/,
  ],
  [
    'the same signed by a stranger',
    async (copy) => {
      await writeSigned(copy, without(await forgeTable(copy)) as typeof contents)
    },
    /manifest\.json: de outra instalação: assinado pela chave/,
  ],
  [
    'an older backup in the place of the newest',
    async ({ place, path }) => {
      await rm(path('.'), { recursive: true })
      await rename(join(place, 'backups', older.contents.id), path('.'))
    },
    /O manifesto do backup .* foi alterado/,
  ],
  [
    'the newest backup away',
    async ({ path }) => rm(path('manifest.json')),
    /ausente {2}backups\/.*\/manifest\.json/,
  ],
  ['a table', async ({ path }) => flip(path('tables/users.copy.gz')), /alterado backups\/.*\/tables\/users/],
  [
    'a table away',
    async ({ path }) => rm(path('tables/users.copy.gz')),
    /ausente {2}backups\/.*\/tables\/users/,
  ],
  [
    'the waiting jobs',
    async ({ write }) => write('tables/_jobs.copy.gz', gzipSync('{}\n')),
    /alterado .*_jobs/,
  ],
  [
    'the list of files',
    async ({ write }) => write('files.ndjson.gz', gzipSync('')),
    /alterado .*files\.ndjson/,
  ],
  ['the secrets', async ({ write }) => write('secrets.bin', 'GARSEG1\n'), /alterado .*secrets\.bin/],
  ['a file', async ({ place }) => flip((await objectsIn(place))[0] ?? ''), /alterado objects\//],
  ['a file away', async ({ place }) => rm((await objectsIn(place))[0] ?? ''), /ausente {2}objects\//],
]

/** As if the place had always been this one. */
const noteAt = (place: string) =>
  sql`insert into backup_runs (kind, place, started_at, finished_at, backup_id)
    values ('backup', ${place}, now(), now(), ${id})`.execute(ctx.db)

describe('whoever may write to the backups', () => {
  test('every kind of file that is changed is named', async () => {
    const missed: string[] = []
    for (const [kind, forge, named] of FILES) {
      const copy = await copied()
      await noteAt(copy.place)
      const look = () =>
        checkBackup(ctx, copy.place, { deep: true }).then(
          ({ faults }) => faults.map(backupFaultText),
          (error: Error) => [error.message],
        )
      if (kind === FILES[0]?.[0]) expect(await look()).toEqual([])
      await forge(copy)
      const found = await look()
      if (!found.some((fault) => named.test(fault))) missed.push(`${kind}: ${found.join(', ')}`)
    }
    expect(missed).toEqual([])
  })

  test('a manifest that is unsigned, foreign or altered is neither tried nor restored; an unsigned one is when somebody says so', async () => {
    for (const [kind, forge, named] of FILES.slice(0, 3)) {
      const copy = await copied()
      await forge(copy)
      const said = new RegExp(named.source.replace('manifest\\.json: ', 'não é aceito: '))
      if (kind.includes('stranger')) await expect(tryBackup(SAFE, copy.place)).rejects.toThrow(said)
      const given = { from: copy.place, passphrase: PASSPHRASE.BACKUP_PASSPHRASE, database_only: true }
      await expect(restoreBackup(SAFE, { ...given, trust: houseTrust(SAFE) })).rejects.toThrow(said)
    }
    const copy = await copied()
    const { secrets_sha256: _, ...old } = without(await copy.manifest())
    const said = { ...old, format: 1 }
    await copy.write('manifest.json', JSON.stringify({ ...said, manifest_sha256: sumOf(said) }))
    const refused = await run(['conferir-backup', '--de', copy.place])
    expect(refused).toMatchObject({
      code: FOUND,
      out: expect.stringContaining('repita com --sem-assinatura'),
    })
    expect(await run(['conferir-backup', '--de', copy.place, '--sem-assinatura'])).toMatchObject({
      code: DONE,
    })
    expect(await tryBackup(SAFE, copy.place, true)).toMatchObject({ contents: { id } })
  })

  test('what another has put into the newest list of files is not signed with the next backup', async () => {
    const copy = await copied()
    const list = gunzipSync(await readFile(copy.path('files.ndjson.gz'))).toString()
    const [first = ''] = list.split('\n')
    const { sha256, size } = JSON.parse(first)
    await copy.write('files.ndjson.gz', gzipSync(list.replace(sha256, 'f'.repeat(64))))
    await mkdir(join(copy.place, 'objects/ff'), { recursive: true })
    await writeFile(join(copy.place, 'objects/ff', 'f'.repeat(64)), Buffer.alloc(size))
    const next = await backUp(
      { ...ctx, clock: () => new Date(Date.now() + 10_000) },
      { to: copy.place, passphrase: undefined },
    )
    const kept = gunzipSync(await readFile(join(copy.place, 'backups', next.contents.id, 'files.ndjson.gz')))
    expect(kept.toString()).not.toContain('f'.repeat(64))
  })

  test('on a bare machine the key comes from the secrets or from the operator; until then nothing is called right', async () => {
    await using machine = await bareMachine({ DOSSIER_KEY: 'cd'.repeat(32), SIGNING_KEY: 'ef'.repeat(32) })
    const unverified = await machine.run(['conferir-backup', '--de', to, '--rapido'])
    expect(unverified).toMatchObject({
      code: FOUND,
      out: expect.stringContaining('assinatura não conferida: a chave'),
    })
    const [, key = ''] = /a chave ([0-9a-f ]+) não/.exec(unverified.out) ?? []
    expect(await machine.run(['conferir-backup', '--de', to, '--rapido', '--chave', key])).toMatchObject({
      code: DONE,
    })
    const foreign = await copied()
    await writeSigned(foreign, contents)
    expect(await machine.run(['restaurar', '--de', foreign.place, '--so-banco'], PASSPHRASE)).toMatchObject({
      code: FAILED,
      err: expect.stringContaining('assinatura não conferida'),
    })
    const restored = await machine.run(['restaurar', '--de', to, '--so-banco'], PASSPHRASE)
    expect(restored).toMatchObject({ code: DONE, err: '' })
    expect(await readdir(machine.dir)).toContain('secrets.json')
  })
})
