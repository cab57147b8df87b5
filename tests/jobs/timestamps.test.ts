import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { anchorTrail, verifyChains } from '@garantia/server/features/records/chain'
import { verifyStamps } from '@garantia/server/features/records/dossier'
import type { DossierView } from '@garantia/shared/dossier/schema'
import { verifyStamp } from '@garantia/shared/dossier/timestamp'
import { startWorker } from '@garantia/worker'
import { extractText } from 'unpdf'
import { afterAll, expect, test, vi } from 'vitest'
import { requestStamp } from '../../server/src/kernel/time-authority.ts'
import { nodeStampCryptography } from '../support/node-cryptography.ts'
import { startTestApp } from '../support/test-app.ts'
import { startTimeAuthority } from '../support/time-authority.ts'

const run = promisify(execFile)
const authority = await startTimeAuthority()
const testApp = await startTestApp({
  TSA_URL: authority.url.replace('//', '//garantia:segredo@'),
  TSA_ROOTS: authority.roots,
})
const { ctx } = testApp.kernel
const worker = await startWorker(testApp.kernel)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana Diretora' }))
const { id: order_id } = await testApp.make.order({ os_number: '000321' })
await testApp.make.converted({ order_id, converted_filename: 'frente.jpg' }, Buffer.from('picture'))
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
  await authority.stop()
})

const path = `/service-orders/${order_id}/dossier`
const newest = async (): Promise<DossierView> => (await boss.api('GET', path)).json().data[0]
const part = async (name: string) => (await boss.api('GET', `${path}/1/download?part=${name}`)).rawPayload
const TIMEOUT = { timeout: 120_000, interval: 100 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
/** As verificar.html judges it, years later. */
const judged = (answer: Uint8Array, manifest: Uint8Array, roots: string[] = []) =>
  verifyStamp(
    answer,
    { sha256: sha256(manifest), roots, now: new Date('2036-11-23T12:00:00Z') },
    nodeStampCryptography,
  )
const fault = (stamp: ReturnType<typeof judged>) => (stamp.is_valid ? 'valid' : stamp.fault)

test('a dossier is sealed though the authority is silent, and stamped once it answers (D-83)', async () => {
  authority.state.isDown = true
  await boss.api('POST', path)
  await vi.waitFor(async () => expect((await newest()).timestamp?.error).toContain('respondeu 503'), TIMEOUT)
  expect(await newest()).toMatchObject({
    status: 'sealed',
    timestamp: { status: 'pending', stamped_at: null, authority: null },
  })
  expect((await boss.api('GET', `${path}/1/download?part=tsr`)).statusCode).toBe(404)

  authority.state.isDown = false
  const { rows } = await testApp.kernel.pool.query(
    `select graphile_worker.add_job('request-timestamps', '{}')`,
  )
  expect(rows).toHaveLength(1)
  await vi.waitFor(async () => expect((await newest()).timestamp?.status).toBe('stamped'), TIMEOUT)
  expect((await newest()).timestamp).toMatchObject({ authority: 'Carimbo de Teste', error: null })
  expect((await newest()).files.map((file) => file.part)).toContain('tsr')
  const credentials = Buffer.from('garantia:segredo').toString('base64')
  expect(authority.state.authorization).toBe(`Basic ${credentials}`)
})

test('the authority is asked with TSA_TOKEN where there is one, and without what the address says (D-83)', async () => {
  const config = { ...ctx.config, TSA_TOKEN: 'ficha' }
  const { stamp } = await requestStamp({ ...ctx, config }, sha256(Buffer.from('{}')))
  expect(stamp.authority).toBe('Carimbo de Teste')
  expect(authority.state.authorization).toBe('Bearer ficha')
  const open = { ...ctx.config, TSA_URL: authority.url }
  await requestStamp({ ...ctx, config: open }, sha256(Buffer.from('{}')))
  expect(authority.state.authorization).toBe('')
})

test('an authority that sends elsewhere is not followed', async () => {
  const { state, url } = authority
  const before = state.requests
  state.elsewhere = url
  await expect(requestStamp(ctx, sha256(Buffer.from('{}')))).rejects.toThrow('não respondeu')
  state.elsewhere = ''
  expect(state.requests).toBe(before + 1)
})

test('a stamp verifies years later and without asking anybody; what is wrong with another is told apart', async () => {
  const [answer, zip] = [await part('tsr'), join(testApp.dir, 'dossie.zip')]
  await writeFile(zip, await part('zip'))
  const { stdout } = await run('unzip', ['-p', zip, 'manifesto.json'])
  const manifest = Buffer.from(stdout)
  expect(judged(answer, manifest)).toMatchObject({
    is_valid: true,
    authority: 'Carimbo de Teste',
    root: 'Raiz de Teste',
    accuracy_seconds: 1,
    is_pinned: null,
    expired_at: expect.stringMatching(/^20/),
  })
  expect(fault(judged(answer, Buffer.from('{}')))).toBe('other_subject')
  const altered = Buffer.from(answer)
  const place = altered.indexOf(sha256(manifest))
  sha256(Buffer.from('{}')).copy(altered, place)
  expect(place).toBeGreaterThan(0)
  expect(fault(judged(altered, Buffer.from('{}')))).toBe('altered')
  expect(fault(judged(await authority.withoutPurpose(answer), manifest))).toBe('wrong_purpose')
  expect(fault(judged(answer.subarray(0, 200), manifest))).toBe('unreadable')

  // Signatures of the certificates: those of another root by the same name prove nothing.
  const other = await startTimeAuthority()
  const roots = [await readFile(other.roots, 'utf8')]
  await other.stop()
  expect(judged(answer, manifest, roots)).toMatchObject({ is_valid: true, is_pinned: false })
  expect(judged(answer, manifest, [await readFile(authority.roots, 'utf8')])).toMatchObject({
    is_pinned: true,
  })
  for (let at = place; at < answer.length; at += 97) {
    const flipped = Buffer.from(answer)
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
    expect(() => judged(flipped, manifest)).not.toThrow()
  }
})

test('the commands printed in the report verify the stamp, and notice another manifest', async () => {
  const dir = join(testApp.dir, 'carimbo')
  await mkdir(dir)
  const zip = join(testApp.dir, 'dossie.zip')
  await run('unzip', ['-q', zip, 'manifesto.json', 'dossie.pdf', '-d', dir])
  await writeFile(join(dir, 'manifesto.json.tsr'), await part('tsr'))
  const pdf = await part('pdf')
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
  const [certificates] =
    /openssl ts -reply -in \S+ -token_out \| openssl pkcs7 -inform DER -print_certs > \S+/.exec(text) ?? []
  const [verifying] = /openssl ts -verify -data \S+ -in \S+ -CAfile \S+ -untrusted \S+/.exec(text) ?? []
  const shell = (command: string) => run('sh', ['-c', command], { cwd: dir })
  await shell(certificates ?? 'false')
  expect((await shell(verifying ?? 'false')).stdout).toContain('Verification: OK')
  await writeFile(join(dir, 'manifesto.json'), '{}')
  await expect(shell(verifying ?? 'false')).rejects.toThrow()
})

test('the journal is stamped too; verification names a stamp that is not of its dossier or entry', async () => {
  await anchorTrail(ctx)
  await testApp.kernel.pool.query(`select graphile_worker.add_job('request-timestamps', '{}')`)
  await vi.waitFor(async () => expect((await verifyChains(ctx)).stamps).toBe(1), TIMEOUT)
  expect((await verifyChains(ctx)).faults).toEqual([])
  expect(await verifyStamps(ctx)).toEqual({ stamps: 1, faults: [] })
  await testApp.kernel.pool.query(
    `update dossier_timestamps set answer = set_byte(answer, 100, get_byte(answer, 100) # 1)`,
  )
  expect((await verifyStamps(ctx)).faults).toMatchObject([{ order_id, n: 1 }])
  const key = 'trilha/00000001.tsr'
  expect(await ctx.storage.size(key)).toBeGreaterThan(1_000)
  const copy = join(testApp.dir, 'entry')
  await writeFile(copy, 'nothing')
  await ctx.storage.remove(key)
  await ctx.storage.moveIn(key, copy)
  expect((await verifyChains(ctx)).faults.map(({ problem }) => problem)).toEqual([
    expect.stringContaining('O carimbo de tempo não pode ser lido'),
  ])
})
