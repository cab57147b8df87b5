import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'
import type { FormatName } from '@garantia/shared/evidence/formats'
import { findBinaries } from '@garantia/worker/media/binaries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  empty,
  ffconcatText,
  hlsText,
  hugePng,
  pdf,
  photo,
  renamed,
  rotatedHeic,
  sourceOf,
  svg,
  truncated,
  video,
} from '../support/media.ts'
import { convert, media, newFolder, newRun, programs, reasonOf, target } from './media-fixtures.ts'

let dir: string
let canary: string
beforeAll(async () => {
  dir = await newFolder()
  canary = await video(dir, { name: 'canario', seconds: 1, width: 160, height: 120 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const hostile: [string, FormatName, RegExp, () => Promise<string>][] = [
  [
    'a truncated JPEG',
    'jpeg',
    /truncada ou danificada/,
    async () => truncated(dir, await photo(dir, { name: 't' }), 't.jpg'),
  ],
  [
    'a truncated PNG',
    'png',
    /truncada ou danificada/,
    async () => truncated(dir, await photo(dir, { name: 't', format: 'png' }), 't2.png'),
  ],
  [
    'a truncated HEIC',
    'heic',
    /truncada ou danificada/,
    async () => truncated(dir, await rotatedHeic(dir), 't.heic'),
  ],
  ['a 0-byte JPEG', 'jpeg', /vazio/, () => empty(dir, 'vazio.jpg')],
  ['a 0-byte MP4', 'mp4', /vazio/, () => empty(dir, 'vazio.mp4')],
  [
    'a PDF named .jpg',
    'jpeg',
    /danificada|formato anunciado/,
    async () => renamed(dir, await pdf(dir), 'laudo.jpg'),
  ],
  ['a JPEG named .mp4', 'mp4', /não pôde ser lido/, async () => renamed(dir, await photo(dir), 'foto.mp4')],
  ['an SVG named .jpg', 'jpeg', /danificada|formato anunciado/, () => svg(dir)],
  ['an SVG taken for a PNG', 'png', /danificada|formato anunciado/, () => svg(dir, 'desenho.png')],
  ['a 300-megapixel PNG header', 'png', /A imagem tem 300 megapixels e o máximo é 210/, () => hugePng(dir)],
  ['an HLS text named .mp4', 'mp4', /não pôde ser lido/, () => hlsText(dir, 'canario.mp4')],
  [
    'an HLS text taken for an AVI',
    'avi',
    /não pôde ser lido/,
    () => hlsText(dir, 'canario.mp4', 'lista.avi'),
  ],
  ['an ffconcat text named .mp4', 'mp4', /não pôde ser lido/, () => ffconcatText(dir, 'canario.mp4')],
  [
    'an ffconcat text named .mkv',
    'mkv',
    /não pôde ser lido/,
    () => ffconcatText(dir, 'canario.mp4', 'concat.mkv'),
  ],
  ['a truncated PDF', 'pdf', /PDF está truncado/, async () => truncated(dir, await pdf(dir), 't.pdf')],
  [
    'a JPEG named .pdf',
    'pdf',
    /PDF está truncado, danificado/,
    async () => renamed(dir, await photo(dir), 'foto.pdf'),
  ],
  ['a sound file named .mp4', 'mp4', /não tem imagem de vídeo/, () => soundOnly()],
]

const execute = promisify(execFile)
async function soundOnly() {
  const path = join(dir, 'som.mp4')
  const { ffmpeg } = await findBinaries({})
  await execute(ffmpeg, ['-v', 'error', '-y', '-f', 'lavfi', '-t', '1', '-i', 'sine', '-c:a', 'aac', path])
  return path
}

describe('promise 10: a hostile file', () => {
  test.each(hostile)(
    '%s is refused with a Portuguese reason and leaves nothing',
    async (_name, format, reason, make) => {
      const source = await sourceOf(await make(), format)
      const run = await newRun()
      expect(await reasonOf(media.convert(source, target(), run))).toMatch(reason)
      expect((await readdir(run.dir)).filter((name) => name.startsWith('converted'))).toEqual([])
      if (format !== 'pdf') expect(await reasonOf(media.preview(source, run))).toMatch(reason)
    },
  )

  test('promise 11: control: unguarded ffmpeg does follow the reference to the sibling file', async () => {
    const { ffmpeg } = await findBinaries(programs)
    const output = join(dir, 'vazou.mp4')
    const alone = execute(ffmpeg, ['-v', 'error', '-y', '-i', await ffconcatText(dir, 'canario.mp4'), output])
    await expect(alone).resolves.toBeTruthy()
    await rm(output)
  })

  test('promise 11: a reference to a server causes no request', async () => {
    let calls = 0
    const server = createServer((_request, reply) => {
      calls++
      reply.end()
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as AddressInfo
    const path = await hlsText(dir, `http://127.0.0.1:${port}/canario.mp4`, 'rede.mp4')
    for (const format of ['mp4', 'mkv', 'avi', 'wmv'] as const)
      await reasonOf(media.inspect(await sourceOf(path, format), await newRun()))
    server.close()
    expect(calls).toBe(0)
  })

  test('a PDF whose picture unpacks to 200 MB is not unpacked', async () => {
    const document = await PDFDocument.create()
    const bomb = deflateSync(Buffer.alloc(200_000_000))
    const fields = { Type: 'XObject', Subtype: 'Image', Width: 90, Height: 90, BitsPerComponent: 8 }
    const dict = document.context.obj({ ...fields, ColorSpace: 'DeviceRGB', Filter: 'FlateDecode' })
    const ref = document.context.register(PDFRawStream.of(dict, bomb))
    document.addPage([300, 300]).node.setXObject(PDFName.of('bomba'), ref)
    const path = join(dir, 'bomba.pdf')
    await writeFile(path, await document.save())
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 2)
    const reason = await reasonOf(convert(path, 'pdf', { budget_bytes: 50_000 }))
    clearInterval(watch)
    expect(reason).toMatch(/só pôde ser reduzido a/)
    expect(peak - before).toBeLessThan(150_000_000)
  })

  test('does not block the valid file beside it', async () => {
    const [bad, good] = await Promise.allSettled([
      convert(await hugePng(dir), 'png'),
      convert(canary, 'mp4'),
      convert(await svg(dir), 'jpeg'),
    ])
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled'])
  })

  test('with absurd frame sizes is refused before it is decoded', async () => {
    const path = join(dir, 'largo.mkv')
    const { ffmpeg } = await findBinaries({})
    const wide = [
      '-f',
      'lavfi',
      '-i',
      'color=s=9000x64:r=1:d=1',
      '-c:v',
      'mjpeg',
      '-pix_fmt',
      'yuvj420p',
      path,
    ]
    await execute(ffmpeg, ['-v', 'error', '-y', ...wide])
    expect(await reasonOf(convert(path, 'mkv'))).toBe(
      'O vídeo tem 9.000 × 64 pixels, mais do que se pode converter. Grave ou exporte em até 4K.',
    )
  })
})

test('a missing file is an infrastructure error, to be retried', async () => {
  for (const [name, format] of [
    ['sumiu.jpg', 'jpeg'],
    ['sumiu.mp4', 'mp4'],
    ['sumiu.pdf', 'pdf'],
    ['sumiu.heic', 'heic'],
  ] as const) {
    const failure = media.convert({ path: join(dir, name), format, size: 10 }, target(), await newRun())
    await expect(failure, name).rejects.not.toMatchObject({ name: 'CannotConvert' })
  }
})
