import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Decoders, openDecoders } from '@garantia/worker/decoder/decoders'
import { decoderHost } from '@garantia/worker/decoder/host'
import { localHost } from '@garantia/worker/decoder/place'
import { findSandbox, type Sandbox } from '@garantia/worker/decoder/sandbox'
import type { Run, Source } from '@garantia/worker/media/media'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hungryPdf, iphoneHeic, photo, rotatedHeic } from '../support/media.ts'
import { codePhoto, drawPhotos, platePhoto } from '../support/plates.ts'
import { startTestApp } from '../support/test-app.ts'

/* The process that reads untrusted files: what it may see and do, and what becomes of what it says. */

const testApp = await startTestApp()
const dir = await mkdtemp(join(tmpdir(), 'garantia-decoder-'))
const opened: Decoders[] = []
afterAll(async () => {
  for (const decoders of opened) await decoders.close()
  await rm(dir, { recursive: true, force: true })
  await testApp[Symbol.asyncDispose]()
})

const decodersOf = () => {
  const { ctx } = testApp.kernel
  const decoders = openDecoders(decoderHost(ctx))
  opened.push(decoders)
  return decoders
}
let runs = 0
async function newRun(signal = new AbortController().signal): Promise<Run> {
  const folder = join(dir, `run-${runs++}`)
  await mkdir(folder)
  return { dir: folder, signal, onProgress: () => undefined }
}
const sourceOf = async (path: string, format: Source['format']): Promise<Source> => ({
  path,
  format,
  size: (await stat(path)).size,
})
const TARGET = {
  budget_bytes: 1_000_000,
  image_formats: ['jpg'],
  video_formats: ['mp4'],
  long_side: 1920,
  keep_gps: false,
}

describe('the process that decodes', () => {
  interface Seen {
    status: Record<string, string>
    environ: string[]
    limits: string
    devices: string[]
    command: string
  }
  /** What /proc says of the decoding process, from outside, while it works. */
  async function seen(): Promise<Seen | undefined> {
    for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '')
      const command = (await read('cmdline')).replaceAll('\0', ' ')
      const isDecoder = /node\S* .*decoder(\/main)?\.[jt]s/.test(command) && !command.includes('sandbox.sh')
      const environ = (await read('environ')).split('\0').filter(Boolean)
      const isOurs = environ.some((one) => one.startsWith(`HOME=${testApp.dir}`))
      if (!isDecoder || !isOurs || /setpriv|prlimit|unshare/.test(command)) continue
      const lines = (await read('status')).split('\n').map((line) => line.split(/:\s*/, 2))
      return {
        status: Object.fromEntries(lines),
        environ,
        limits: await read('limits'),
        devices: (await read('net/dev'))
          .split('\n')
          .slice(2)
          .flatMap((line) => line.split(':')[0]?.trim() || []),
        command,
      }
    }
    return undefined
  }

  test('has no uid 0, no secret in its environment, no network, no right and a limit of memory', async () => {
    const heic = await sourceOf(await rotatedHeic(dir), 'heic')
    await decodersOf().withTools(1, async (media) => {
      const run = await newRun()
      const converting = media.convert(heic, TARGET, run)
      let process: Seen | undefined
      await expect.poll(async () => (process = await seen()), { interval: 20 }).toBeDefined()
      await converting
      const { status = {}, environ = [], limits = '', devices } = process ?? {}
      expect(status.Uid?.split('\t')).not.toContain('0')
      expect(environ.map((one) => one.split('=')[0]).sort()).toEqual([
        'HOME',
        'LANG',
        'MALLOC_ARENA_MAX',
        'OLDPWD',
        'PATH',
        'PWD',
        'TMPDIR',
      ])
      expect(environ.join()).not.toContain(testApp.kernel.ctx.config.SIGNING_KEY)
      expect(environ.join()).not.toContain(testApp.kernel.ctx.config.DOSSIER_KEY)
      expect(devices).toEqual(['lo'])
      expect([status.CapEff, status.CapPrm, status.CapBnd, status.NoNewPrivs]).toEqual([
        ...Array(3).fill('0000000000000000'),
        '1',
      ])
      for (const limit of ['Max data size', 'Max cpu time', 'Max file size', 'Max processes'])
        expect(limits).toMatch(new RegExp(`^${limit}\\s+\\d`, 'm'))
    })
  })

  test('reads photos within its limits: plates and codes, beside a conversion', {
    tags: ['exhaustive'],
  }, async () => {
    const [path = ''] = (await drawPhotos(dir, [platePhoto('BRA2E19')])).values()
    const label = await codePhoto(dir, 'GT-4471/0098', 'QRCode')
    const jpeg = await sourceOf(path, 'jpeg')
    await decodersOf().withTools(1, async (media) => {
      const { found, engine } = await media.read(jpeg, { kinds: ['plate', 'vin'] }, await newRun())
      expect(found).toMatchObject([{ kind: 'plate', text: 'BRA2E19' }])
      expect(engine).toContain('PP-OCRv4')
      const codes = await media.read(await sourceOf(label, 'jpeg'), { kinds: ['code'] }, await newRun())
      expect(codes.found).toMatchObject([{ kind: 'code', text: 'GT-4471/0098' }])
      expect((await media.convert(jpeg, TARGET, await newRun())).size).toBeLessThan(TARGET.budget_bytes)
    })
  })

  test('is ended with its job, in the middle of its work', async () => {
    const heic = await sourceOf(await iphoneHeic(dir), 'heic')
    const abort = new AbortController()
    const run = await newRun(abort.signal)
    await decodersOf().withTools(2, async (media) => {
      const converting = media.convert(heic, TARGET, run)
      await expect.poll(seen, { interval: 20 }).toBeDefined()
      abort.abort(new Error('parado pelo operador'))
      await expect(converting).rejects.toThrow('parado pelo operador')
    })
    await expect.poll(seen).toBeUndefined()
  })

  test('refuses a PDF of half a megabyte that unfolds to 480 MB, and this process does not notice', {
    tags: ['exhaustive'],
  }, async () => {
    const path = await hungryPdf(dir)
    const pdf = await sourceOf(path, 'pdf')
    expect(pdf.size).toBeLessThan(600_000)
    const before = process.memoryUsage().rss
    const refused = decodersOf().withTools(3, async (media) => media.convert(pdf, TARGET, await newRun()))
    await expect(refused).rejects.toMatchObject({ name: 'CannotConvert' })
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  test('sees nothing of the machine but programs, and writes only to its folder, also as a normal user', async () => {
    const home = await mkdtemp(join(tmpdir(), 'garantia-usuario-'))
    try {
      await chmod(dirname(home), 0o755)
      await chmod(home, 0o777)
      await writeFile(join(home, 'segredo'), 'x')
      const script = fileURLToPath(new URL('../fixtures/sandbox-probe.ts', import.meta.url))
      const as = async (...prefix: string[]) => {
        const [command = '', ...args] = [...prefix, process.execPath, script, home]
        const { stdout } = await promisify(execFile)(command, args, { env: { PATH: process.env.PATH } })
        return JSON.parse(stdout)
      }
      const isolated = {
        isolation: 'isolated',
        visible: [],
        written: ['own'],
        devices: ['lo'],
        processes: expect.arrayContaining([1]),
      }
      const asRoot = await as()
      expect(asRoot).toMatchObject(isolated)
      expect(asRoot.uid).not.toBe(0)
      expect(await as('setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups')).toMatchObject({
        ...isolated,
        nested: false,
      })
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  })
})

/** A program in the place of the decoder that does and says what a hostile file could make it say. */
async function fake(body: string) {
  const lines = `
    import { writeSync, symlinkSync, writeFileSync } from 'node:fs'
    import { createInterface } from 'node:readline'
    const me = crypto.randomUUID()
    const say = (answer) => writeSync(3, JSON.stringify(answer) + '\\n')
    const FACTS = { width: 1, height: 1, duration_seconds: null, pages: null, captured_at: null }
    const inspected = { ...FACTS, camera: me, orientation: null, has_location: null }
    const converted = { ...FACTS, file: 'converted.jpg', format: 'jpeg', reencoded: true, is_over_compressed: false }
    for await (const line of createInterface({ input: process.stdin })) { ${body} }`
  const program = join(programs, `decoder-${opened.length}.mjs`)
  await writeFile(program, lines)
  const decoders = openDecoders(localHost(testApp.kernel.ctx, { program, sandbox: fakeSandbox }))
  opened.push(decoders)
  return decoders
}
const programs = join(dir, 'programs')
let found: Promise<Sandbox> | undefined
function fakeSandbox() {
  const { scratch, config } = testApp.kernel.ctx
  found ??= findSandbox({ scratch, data_dir: config.data_dir, programs: [programs] })
  return found
}

describe('what a decoding process says', () => {
  let picture: Source
  beforeAll(async () => {
    await mkdir(programs, { mode: 0o755 })
    picture = await sourceOf(await photo(dir, { name: 'foto' }), 'jpeg')
  })
  const convert = async (decoders: Decoders) => {
    const run = await newRun()
    return decoders.withTools(1, (media) => media.convert(picture, TARGET, run))
  }

  test.each([
    ['a link to another file', "symlinkSync('/etc/passwd', 'converted.jpg'); say({ result: converted })"],
    ['a folder', "(await import('node:fs')).mkdirSync('converted.jpg'); say({ result: converted })"],
    ['a path out of its folder', "say({ result: { ...converted, file: '../../secrets.json' } })"],
    [
      'a format that there is not',
      "writeFileSync('converted.jpg', ''); say({ result: { ...converted, format: 'exe' } })",
    ],
    ['no JSON', "writeSync(3, 'ha\\n')"],
    ['an endless line', "for (;;) writeSync(3, 'x'.repeat(10_000))"],
  ])('%s is not followed', async (_what, body) => {
    const failure = await convert(await fake(body)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toMatchObject({ name: 'CannotConvert' })
  })

  test('a process that a file drives to its end is that file’s refusal; one that is killed is not', async () => {
    await expect(convert(await fake("process.kill(process.pid, 'SIGSEGV')"))).rejects.toMatchObject({
      name: 'CannotConvert',
    })
    await expect(
      convert(await fake('const hog = []; for (;;) hog.push(Buffer.alloc(1e8, 1))')),
    ).rejects.toMatchObject({
      name: 'CannotConvert',
    })
    await expect(convert(await fake("process.kill(process.pid, 'SIGKILL')"))).rejects.not.toMatchObject({
      name: 'CannotConvert',
    })
  })

  test('a library that fails is told from a fault of the machine', async () => {
    await expect(convert(await fake("say({ error: 'x is not a function' })"))).rejects.toMatchObject({
      name: 'ParserFailure',
      message: 'x is not a function',
    })
    await expect(convert(await fake("say({ error: 'no space', code: 'ENOSPC' })"))).rejects.toMatchObject({
      name: 'Error',
      code: 'ENOSPC',
    })
  })

  test('a folder that it leaves is removed after its end, a link at once', async () => {
    const outside = await mkdtemp(join(dir, 'fora-'))
    await writeFile(join(outside, 'alheio.jpg'), 'x')
    const namesOf = async (left: string) => {
      const decoders = await fake(`${left}; say({ result: inspected })`)
      const inspect = async () => {
        const run = await newRun()
        return decoders.withTools(1, async (media) => (await media.inspect(picture, run)).camera)
      }
      return [await inspect(), await inspect()]
    }
    const [first, second] = await namesOf(
      "symlinkSync(me, 'nada'); (await import('node:fs')).mkdirSync('pasta')",
    )
    expect(second).not.toBe(first)
    const [kept, again] = await namesOf(`symlinkSync('${outside}', 'elo')`)
    expect(again).toBe(kept)
    expect(await readdir(outside)).toEqual(['alheio.jpg'])
  })

  test('files of one order share a process, files of two orders never do', async () => {
    const decoders = await fake('say({ result: inspected })')
    const nameOf = async (order: number) => {
      const run = await newRun()
      return decoders.withTools(order, async (media) => (await media.inspect(picture, run)).camera)
    }
    const [first, again, other] = [await nameOf(1), await nameOf(1), await nameOf(2)]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })
})
