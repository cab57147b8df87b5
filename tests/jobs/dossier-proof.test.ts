import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { confirmDossier, houseKeys } from '@garantia/server/features/records/dossier'
import { custodyLines } from '@garantia/shared/dossier/custody'
import type { SealFile } from '@garantia/shared/dossier/proof'
import { verifyDossier } from '@garantia/shared/dossier/verify'
import { startWorker } from '@garantia/worker'
import fc from 'fast-check'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeCryptography, sha256Hex } from '../support/node-cryptography.ts'
import { contentsIn, judged } from '../support/sealed-dossier.ts'
import { DOSSIER_KEY, startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
const { ctx } = testApp.kernel
const run = promisify(execFile)
const boss = await testApp.as(await testApp.make.user({ is_superuser: true, full_name: 'Ana Diretora' }))
const { id: order_id } = await testApp.make.order({ os_number: '000321' })

let worker: Awaited<ReturnType<typeof startWorker>>
/** The files of the first version, as extracted from its ZIP. */
let sealed: Map<string, Buffer>
const folder = join(testApp.dir, 'dossie-1')
beforeAll(async () => {
  worker = await startWorker(testApp.kernel)
  for (const name of ['frente.jpg', 'placa.jpg', 'motor.jpg'])
    await testApp.make.converted({ order_id, converted_filename: name }, Buffer.from(`picture of ${name}`))
  sealed = await extracted(await build(), folder)
})
afterAll(async () => {
  await worker.stop()
  await testApp[Symbol.asyncDispose]()
})

async function build() {
  const path = `/service-orders/${order_id}/dossier`
  const { n } = (await boss.api('POST', path)).json()
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(100)) {
    const [newest] = (await boss.api('GET', path)).json().data
    if (newest.status === 'sealed') return (await boss.api('GET', `${path}/${n}/download`)).rawPayload
    if (newest.status === 'failed') throw new Error(newest.error)
  }
  throw new Error('still building')
}
async function extracted(zip: Buffer, dir: string) {
  await mkdir(dir)
  await writeFile(`${dir}.zip`, zip)
  await run('unzip', ['-q', `${dir}.zip`, '-d', dir])
  const names = await readdir(dir)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name))] as const)),
  )
}

const HOUSE = () => houseKeys(ctx).map(({ public_key_pem }) => public_key_pem)
const verified = (files: ReadonlyMap<string, Buffer>, keys = HOUSE()) =>
  verifyDossier(contentsIn(files, false), keys, nodeCryptography)
/** What is found in the dossier after this change, by kind and name. */
function afterChange(change: (files: Map<string, Buffer>) => void) {
  const files = new Map(sealed)
  change(files)
  const { integrity, findings } = verified(files)
  return [integrity, ...findings.map(({ kind, name }) => `${kind} ${name}`)]
}
const bytesOf = (name: string) => sealed.get(name) ?? Buffer.alloc(0)
const manifest = () => JSON.parse(bytesOf('manifesto.json').toString())

/** The files with this manifest, sealed with this key as the product does it. */
function resealed(text: string, { pem, key }: { pem: string; key: Parameters<typeof sign>[2] }) {
  const files = new Map(sealed)
  files.set('manifesto.json', Buffer.from(text))
  files.set('manifesto.sig', sign(null, Buffer.from(text), key))
  files.set('chave-publica.pem', Buffer.from(pem))
  const summed = [...files].filter(([name]) => !name.startsWith('SHA256SUMS'))
  const sums = Buffer.from(summed.map(([name, bytes]) => `${sha256Hex(bytes)}  ${name}\n`).join(''))
  files.set('SHA256SUMS', sums)
  return files.set('SHA256SUMS.sig', sign(null, sums, key))
}

test('a dossier is signed by the key of the house, and intact, as a ZIP and as a folder (issue: proof that stands)', async () => {
  const { integrity, signer, findings, manifest_sha256 } = verified(sealed)
  expect({ integrity, findings }).toEqual({ integrity: 'intact', findings: [] })
  expect(await judged(`${folder}.zip`, HOUSE())).toMatchObject({ integrity, signer, findings })
  expect(signer).toEqual({ key_id: manifest().signing_key.id, trust: 'house' })
  expect(manifest_sha256).toBe(sha256Hex(bytesOf('manifesto.json')))
  expect(verified(sealed, []).signer?.trust).toBe('unknown')
})

test('the manifest says who sent each file, when and by what it was captured, and what was done to it', async () => {
  const content = manifest()
  expect(content).toMatchObject({
    format: 'garantia-dossie/2',
    sealed_at_from: 'server_clock',
    previous: null,
  })
  expect(content.files[0]).toMatchObject({
    uploaded_by: null,
    captured_from: null,
    camera: null,
    capture_way: 'uploaded_file',
    steps: [{ step: 'rewritten' }],
    original: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  const { reports, contents_sha256, ...contents } = content
  // RFC 8785: no spaces, members in order.
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, one]) => [name, sorted(one)]),
          )
        : value
  expect(bytesOf('manifesto.json').toString()).toBe(JSON.stringify(sorted(content)))
  expect(contents_sha256).toBe(sha256Hex(JSON.stringify(sorted(contents))))
  expect(reports.map(({ name }: { name: string }) => name)).toContain('verificar.html')
})

test('the report tells the way of each file, as the manifest has it (issue: originals as evidence)', async () => {
  const { text } = await extractText(new Uint8Array(bytesOf('dossie.pdf')), { mergePages: true })
  const words = text.replaceAll(/\s+/g, ' ')
  for (const file of manifest().files) {
    const lines = custodyLines(file)
    expect(lines.map(([label]) => label)).toEqual(
      expect.arrayContaining(['Captura', 'Câmera', 'Forma', 'Recebimento', 'Cópia']),
    )
    for (const [label, said] of lines) expect(words).toContain(`${label} ${said}`)
  }
  expect(words).not.toContain('capturada no app')
})

test('the commands printed in the report verify the dossier, and notice a change', async () => {
  const { text } = await extractText(new Uint8Array(bytesOf('dossie.pdf')), { mergePages: true })
  const printed = [
    ...text.matchAll(/openssl pkeyutl -verify -rawin -pubin -inkey \S+ -sigfile \S+ -in \S+/g),
    ...text.matchAll(/sha256sum -c SHA256SUMS/g),
    ...text.matchAll(/openssl pkey -pubin -in \S+ -outform DER \| sha256sum \| cut -c1-32/g),
  ].map(([command]) => command)
  const commands = [...new Set(printed)]
  const shell = async (command: string) => (await run('sh', ['-c', command], { cwd: folder })).stdout.trim()
  expect(commands).toHaveLength(4)
  const [sums = '', signed = '', files = '', key = ''] = commands
  expect(await shell(sums)).toBe('Signature Verified Successfully')
  expect(await shell(signed)).toBe('Signature Verified Successfully')
  expect((await shell(files)).match(/: OK$/gm)).toHaveLength(sealed.size - 2)
  expect(await shell(key)).toBe(manifest().signing_key.id)
  expect(text.replaceAll(/\s/g, '')).toContain(manifest().contents_sha256)
  expect(text.replaceAll(/\s/g, '')).toContain(manifest().signing_key.id)

  const path = join(folder, 'SHA256SUMS')
  await writeFile(path, bytesOf('SHA256SUMS').toString().replace('placa.jpg', 'placa.jpeg'))
  await expect(shell(sums)).rejects.toThrow()
  await writeFile(path, bytesOf('SHA256SUMS'))
})

describe('what was changed is told apart in words', () => {
  test('a bit flipped anywhere, in two hundred places', () => {
    const names = [...sealed.keys()]
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        fc.nat(7),
        (name, where, bit) => {
          const bytes = Buffer.from(bytesOf(name))
          const place = Math.floor(where * bytes.length)
          bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
          expect(afterChange((files) => files.set(name, bytes))).toEqual(['changed', `altered ${name}`])
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a file added, removed, renamed, replaced or exchanged with another', () => {
    const [front, plate] = [bytesOf('frente.jpg'), bytesOf('placa.jpg')]
    expect(afterChange((files) => files.set('foto.jpg', Buffer.from('x')))).toEqual([
      'changed',
      'extra foto.jpg',
    ])
    expect(afterChange((files) => files.delete('placa.jpg'))).toEqual(['changed', 'missing placa.jpg'])
    expect(
      afterChange((files) => {
        files.delete('placa.jpg')
        files.set('outra.jpg', plate)
      }),
    ).toEqual(['changed', 'renamed placa.jpg'])
    expect(afterChange((files) => files.set('placa.jpg', front))).toEqual(['changed', 'swapped placa.jpg'])
    expect(afterChange((files) => files.set('placa.jpg', front).set('frente.jpg', plate))).toEqual([
      'changed',
      'swapped frente.jpg',
      'swapped placa.jpg',
    ])
  })

  test.each<SealFile>([
    'manifesto.json',
    'manifesto.sig',
    'chave-publica.pem',
    'SHA256SUMS',
    'SHA256SUMS.sig',
  ])('%s taken away', (name) => {
    const [integrity, finding] = afterChange((files) => files.delete(name))
    expect(integrity).toBe('changed')
    expect(finding).toBe(`${name === 'manifesto.json' ? 'no_manifest' : 'missing'} ${name}`)
  })

  test('a manifest signed anew by a stranger, who replaced key and sums too', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const key_id = sha256Hex(publicKey.export({ format: 'der', type: 'spki' })).slice(0, 32)
    const content = manifest()
    const told = (signing_key: object) => JSON.stringify({ ...content, sealed_by: 'Outro', signing_key })
    for (const id of [key_id, content.signing_key.id]) {
      const forged = resealed(told({ ...content.signing_key, id }), { pem, key: privateKey })
      const { integrity, signer, findings } = verified(forged)
      expect([integrity, signer, findings]).toEqual(['intact', { key_id, trust: 'stranger' }, []])
    }
    // Nobody can tell without the keys of the house: the page then asks to compare the key.
    expect(
      verified(resealed(told({ ...content.signing_key, id: key_id }), { pem, key: privateKey }), []),
    ).toMatchObject({
      integrity: 'intact',
      signer: { key_id, trust: 'unknown' },
    })
  })

  test('the sums of another text, though signed by nobody', () => {
    const sums = bytesOf('SHA256SUMS')
      .toString()
      .replace(/^[0-9a-f]{4}/, 'beef')
    expect(afterChange((files) => files.set('SHA256SUMS', Buffer.from(sums)))).toEqual([
      'changed',
      'altered SHA256SUMS',
    ])
  })
})

test('a dossier of the format before verifies without a signature, and says so', () => {
  const { signing_key, contents_sha256, ...rest } = manifest()
  const text = JSON.stringify({ ...rest, format: 'garantia-dossie/1' }, null, 2)
  const key = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${DOSSIER_KEY}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  })
  const pem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()
  const old = resealed(text, { pem, key })
  for (const name of ['manifesto.sig', 'chave-publica.pem', 'SHA256SUMS.sig']) old.delete(name)
  const lines = old
    .get('SHA256SUMS')
    ?.toString()
    .split('\n')
    .filter((line) => !/manifesto\.sig|\.pem/.test(line))
  old.set('SHA256SUMS', Buffer.from(lines?.join('\n') ?? ''))
  expect(verified(old)).toMatchObject({ integrity: 'unsigned', findings: [], signer: null })
  old.set('placa.jpg', Buffer.from('outra'))
  expect(verified(old).findings).toMatchObject([{ kind: 'altered', name: 'placa.jpg' }])
})

test('anybody may ask for a fingerprint, and learns when and by which key, where that is not switched off', async () => {
  const { contents_sha256, sealed_at, signing_key } = manifest()
  const said = { sealed_at, key_id: signing_key.id }
  const asker = testApp.anonymous.ctx
  expect(await confirmDossier(asker, contents_sha256)).toEqual({ subject: 'contents', ...said })
  const whole = sha256Hex(bytesOf('manifesto.json'))
  expect(await confirmDossier(asker, whole)).toEqual({ subject: 'manifest', ...said })
  const closed = { ...asker, config: { ...asker.config, PUBLIC_VERIFICATION: false } }
  await expect(confirmDossier(closed, whole)).rejects.toMatchObject({ code: 'not_found' })
})

test('a later version says what differs from the one before', async () => {
  await testApp.make.converted({ order_id, converted_filename: 'novo.jpg' }, Buffer.from('novo'))
  const later = await extracted(await build(), join(testApp.dir, 'dossie-2'))
  expect(JSON.parse(later.get('manifesto.json')?.toString() ?? '').previous).toEqual({
    version: 1,
    sealed_at: manifest().sealed_at,
    manifest_sha256: sha256Hex(bytesOf('manifesto.json')),
    added: ['novo.jpg'],
    removed: [],
    changed: [],
  })
  expect(verified(later).integrity).toBe('intact')
})
