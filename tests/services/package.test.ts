import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openPackage } from '@garantia/server/features/evidence/package'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

/** With a UTF-8 locale: without one, `unzip` writes ç as #U00e7. */
const run = (program: string, flags: string[], { cwd }: { cwd?: string } = {}) =>
  promisify(execFile)(program, flags, { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel

/** The package of an order as a file, and its contents unpacked beside it. */
async function unpacked(order_id: number) {
  const dir = join(testApp.dir, `pacote-${order_id}`)
  const zip = `${dir}.zip`
  await pipeline(await (await openPackage(ctx, order_id)).read(), createWriteStream(zip))
  await run('unzip', ['-q', zip, '-d', dir])
  return { dir, zip }
}
const diskPath = (key: string | null) => join(testApp.dir, 'files', key ?? '')

test('the ZIP is complete, names its files as the brand requires, and proves its contents (D-25, API-45)', async () => {
  const order = await testApp.make.order({ os_number: '000777' })
  const names = ['000777_defeito_01.jpg', '000777_teste_01.mp4', '000777_evidencia_01.pdf']
  for (const converted_filename of names)
    await testApp.make.converted(
      { order_id: order.id, converted_filename, description: 'Depois do reparo' },
      Buffer.alloc(200_000, converted_filename),
    )
  await testApp.make.evidence({ order_id: order.id })
  await testApp.make.converted({ order_id: order.id, deleted_at: new Date() })
  const { dir, zip } = await unpacked(order.id)
  expect((await run('unzip', ['-t', zip])).stdout).toContain('No errors detected')
  expect((await readdir(dir)).sort()).toEqual([...names, 'SHA256SUMS', 'manifesto.json'].sort())
  expect((await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir })).stdout.match(/: OK$/gm)).toHaveLength(4)
  // Media is stored, not deflated: compressing it again costs time and saves nothing.
  expect((await run('unzip', ['-v', zip])).stdout).not.toMatch(/Defl/)
})

test('the manifest links every file to its untouched original (D-25)', async () => {
  const original = Buffer.from('bytes do telefone')
  const order = await testApp.make.order()
  const file = await testApp.make.evidence({ order_id: order.id, original_filename: 'IMG_1.HEIC' }, original)
  const converted = await testApp.make.converted({
    order_id: order.id,
    evidence_category: 'placa',
    description: 'Traseira',
  })
  await ctx.db
    .updateTable('evidence_files')
    .set({ original_filename: file.original_filename, sha256: `${'0'.repeat(63)}1` })
    .where('id', '=', converted.id)
    .execute()
  const { dir } = await unpacked(order.id)
  const manifest = JSON.parse(await readFile(join(dir, 'manifesto.json'), 'utf8'))
  expect(manifest.order).toMatchObject({ id: order.id, os_number: order.os_number, brand: 'Marca de Teste' })
  expect(manifest.files).toEqual([
    {
      name: converted.converted_filename,
      size: converted.converted_size,
      sha256: converted.converted_sha256,
      file_type: 'image',
      category: 'placa',
      description: 'Traseira',
      captured_at: null,
      uploaded_at: converted.uploaded_at.toISOString(),
      original: { filename: 'IMG_1.HEIC', size: converted.file_size, sha256: `${'0'.repeat(63)}1` },
    },
  ])
})

test('headers, manifest and checksums stay within what the plan reserves for them (D-19)', async () => {
  const order = await testApp.make.order()
  let payload = 0
  for (let n = 0; n < 40; n++) {
    const { converted_size } = await testApp.make.converted({
      order_id: order.id,
      converted_filename: `${'n'.repeat(110)}_${n}.jpg`,
      description: 'ã'.repeat(500),
      original_filename: 'o'.repeat(180),
    })
    payload += converted_size ?? 0
  }
  const { zip } = await unpacked(order.id)
  const overhead = (await stat(zip)).size - payload
  // The smallest limit a brand can have: 1 MB, of which 3 % + 16 kB + 1.2 kB per file are reserved.
  expect(overhead).toBeLessThanOrEqual(1_000_000 * 0.03 + 16_000 + 40 * 1_200)
})

test('an order without a converted file has no package (D-25)', async () => {
  const order = await testApp.make.order()
  await testApp.make.evidence({ order_id: order.id })
  await expect(openPackage(ctx, order.id)).rejects.toMatchObject({
    code: 'conflict',
    detail: 'Nenhum arquivo convertido para baixar.',
  })
})

test('a missing or truncated object is named before the first byte is sent', async () => {
  const order = await testApp.make.order()
  await testApp.make.converted({ order_id: order.id })
  const [missing, short] = [
    await testApp.make.converted({ order_id: order.id }),
    await testApp.make.converted({ order_id: order.id }),
  ]
  await rm(diskPath(missing.converted_key))
  await truncate(diskPath(short.converted_key), 3)
  await expect(openPackage(ctx, order.id)).rejects.toMatchObject({
    code: 'conflict',
    detail: `Arquivo ausente ou alterado no armazenamento: ${missing.converted_filename}, ${short.converted_filename}. Converta-o de novo.`,
  })
})

test('a package with an object changed in storage ends the download (P8)', async () => {
  const order = await testApp.make.order()
  const file = await testApp.make.converted({ order_id: order.id }, Buffer.from('convertido'))
  await rm(diskPath(file.converted_key))
  await writeFile(diskPath(file.converted_key), 'adulterado')
  const { read } = await openPackage(ctx, order.id)
  await expect(
    pipeline(await read(), createWriteStream(join(testApp.dir, 'adulterado.zip'))),
  ).rejects.toThrow(/not what was recorded/)
})

test('the originals have their uploaded names, each name once, with their own proof (D-25)', async () => {
  const order = await testApp.make.order()
  const bytes = [1, 2, 3, 4, 5].map((n) => Buffer.alloc(1_000 * n, n))
  for (const [n, content] of bytes.entries())
    await testApp.make.evidence(
      {
        order_id: order.id,
        original_filename: ['peça.jpg', 'PEÇA.jpg', 'SHA256SUMS', 'peça (3).jpg', 'Peça.jpg'][n] ?? '',
      },
      content,
    )
  const { filename, read } = await openPackage(ctx, order.id, true)
  expect(filename).toBe(`os_${order.id}_originais.zip`)
  const dir = join(testApp.dir, 'originais')
  await pipeline(await read(), createWriteStream(`${dir}.zip`))
  await run('unzip', ['-q', `${dir}.zip`, '-d', dir])
  const names = ['peça.jpg', 'PEÇA (2).jpg', 'SHA256SUMS (2)', 'peça (3).jpg', 'Peça (4).jpg']
  expect((await readdir(dir)).sort()).toEqual([...names, 'SHA256SUMS', 'manifesto.json'].sort())
  for (const [n, name] of names.entries()) expect(await readFile(join(dir, name))).toEqual(bytes[n])
  await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: dir })
  const empty = await testApp.make.order()
  await expect(openPackage(ctx, empty.id, true)).rejects.toMatchObject({
    detail: 'Nenhuma evidência enviada.',
  })
})

test('an object that vanishes while the ZIP is sent aborts it instead of leaving it out', async () => {
  const order = await testApp.make.order()
  const [, second] = [
    await testApp.make.converted({ order_id: order.id }),
    await testApp.make.converted({ order_id: order.id }),
    await testApp.make.converted({ order_id: order.id }),
  ]
  const { read } = await openPackage(ctx, order.id)
  await rm(diskPath(second.converted_key))
  await expect(pipeline(await read(), createWriteStream(join(testApp.dir, 'quebrado.zip')))).rejects.toThrow(
    /ENOENT/,
  )
})

test('promise 7: a client that disconnects leaves no file open', async () => {
  const order = await testApp.make.order()
  for (let n = 0; n < 5; n++) await testApp.make.converted({ order_id: order.id }, Buffer.alloc(3_000_000, n))
  const openFiles = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) =>
        run('readlink', [`/proc/${process.pid}/fd/${fd}`]).catch(() => null),
      ),
    )
    return links.filter((link) => link?.stdout.includes('/files/os/')).length
  }
  for (let n = 0; n < 10; n++) {
    const zip = await (await openPackage(ctx, order.id)).read()
    await new Promise((resolve) => zip.once('data', resolve))
    zip.destroy()
  }
  await wait(300)
  expect(await openFiles()).toBe(0)
})
