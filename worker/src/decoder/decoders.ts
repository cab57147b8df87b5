import { createWriteStream } from 'node:fs'
import { constants, copyFile, open, readdir, rm, unlink } from 'node:fs/promises'
import { constants as os } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Ctx } from '@garantia/server/kernel'
import { type FileType, FORMATS } from '@garantia/shared/evidence/formats'
import { inSpan } from '@garantia/shared/tracing'
import { type Binaries, binariesFinder, binaryPathsOf } from '../media/binaries.ts'
import type { MediaTools, Run, Source } from '../media/media.ts'
import { emptyFile } from '../media/refusal.ts'
import { type DecoderTask, RESULTS } from './messages.ts'
import { type DecoderProcess, startDecoderProcess } from './process.ts'
import type { DecoderProgram } from './program.ts'
import { type Limits, prepareFolders, type SandboxFolders } from './sandbox.ts'

/** Runs work that reads untrusted files. */
export interface Decoders {
  /**
   * Calls `work` with tools for the files of one owner, an order's id or the name of something else: a process that a
   * hostile file has taken over must not see another one's files. The tools are valid until `work` ends.
   */
  withTools<T>(owner: number | string, work: (media: MediaTools) => Promise<T>): Promise<T>
  /** Ends all processes. */
  close(): Promise<void>
}

/** Decodes in this process: for files that the product itself has made, and for tests of the tools. */
export const inProcess = (media: MediaTools): Decoders => ({
  withTools: (_owner, work) => work(media),
  close: async () => undefined,
})

const { PRIORITY_BELOW_NORMAL } = os.priority

/** Reading has processes of its own: its models stay in memory, which no conversion needs. */
type Kind = FileType | 'reading'

/**
 * What a file of each type may cost, and seconds by the clock until it is refused, also on a busy machine. What is read
 * in a photo can be typed meanwhile: its process gets a processor when no other one wants it.
 */
const COSTS: Record<Kind, Limits & { seconds: number; priority?: number }> = {
  image: { memory: 1_200_000_000, file: 1_000_000_000, cpu_seconds: 600, seconds: 300 },
  video: { memory: 2_000_000_000, file: 8_000_000_000, cpu_seconds: 7_200, seconds: 40 * 60 },
  pdf: { memory: 512_000_000, file: 1_000_000_000, cpu_seconds: 60, seconds: 180 },
  document: { memory: 256_000_000, file: 1_000_000_000, cpu_seconds: 30, seconds: 60 },
  reading: {
    memory: 600_000_000,
    file: 1_000_000_000,
    cpu_seconds: 600,
    seconds: 600,
    priority: PRIORITY_BELOW_NORMAL,
  },
}
/** Between two files of an order a process waits this long, since it takes 0.2 s of processor time to start one. */
const IDLE_MS = 5_000
const FILES_PER_PROCESS = 50
/** The limit of processor time is one of the process: with this share of it behind it, it gets no further file. */
const MOST_OF_CPU_LIMIT = 0.1

interface Decoder {
  type: Kind
  dir: string
  folders: SandboxFolders
  process: DecoderProcess
  /** The original in its folder. */
  loaded: { source: Source; name: string } | undefined
  /** Originals so far: each has a name of its own, by which the process knows one that it has inspected. */
  originals: number
  files: number
  busy_ms: number
}

/** Decodes each file in a process that has nothing but that file (see sandbox.sh), kept for the order's next one. */
export function openDecoders({ config, scratch }: Ctx, { program, sandbox }: DecoderProgram): Decoders {
  const binaries = binariesFinder(binaryPathsOf(config))
  const idle = new Map<string, { decoder: Decoder; timer: NodeJS.Timeout }[]>()
  const all = new Set<Decoder>()

  async function start(type: Kind): Promise<Decoder> {
    const chosen = await sandbox()
    const dir = await scratch.make('decoder')
    const folders = await prepareFolders(dir, chosen)
    const command = chosen.command(folders, COSTS[type], [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      program,
    ])
    const started = startDecoderProcess(command, folders.own, COSTS[type].priority)
    const decoder: Decoder = {
      type,
      dir,
      folders,
      process: started,
      loaded: undefined,
      originals: 0,
      files: 0,
      busy_ms: 0,
    }
    all.add(decoder)
    return decoder
  }

  async function take(owner: number | string, type: Kind) {
    const key = keyOf(owner, type)
    const ready = idle.get(key) ?? []
    for (let next = ready.pop(); next; next = ready.pop()) {
      if (ready.length === 0) idle.delete(key)
      clearTimeout(next.timer)
      if (next.decoder.process.isAlive()) return next.decoder
      await discard(next.decoder)
    }
    return start(type)
  }

  async function giveBack(owner: number | string, decoder: Decoder) {
    const { folders, process, busy_ms, type } = decoder
    decoder.files++
    const isUsedUp =
      decoder.files >= FILES_PER_PROCESS || busy_ms > COSTS[type].cpu_seconds * 1000 * MOST_OF_CPU_LIMIT
    if (isUsedUp || !process.isAlive() || !all.has(decoder)) return discard(decoder)
    decoder.loaded = undefined
    if (!(await isEmptied(folders.own))) return discard(decoder)
    const key = keyOf(owner, type)
    const ready = idle.get(key) ?? []
    idle.set(key, ready)
    const entry = {
      decoder,
      timer: setTimeout(() => {
        ready.splice(ready.indexOf(entry), 1)
        if (ready.length === 0) idle.delete(key)
        void discard(decoder)
      }, IDLE_MS).unref(),
    }
    ready.push(entry)
  }

  async function discard(decoder: Decoder) {
    all.delete(decoder)
    await decoder.process.kill()
    await rm(decoder.dir, { recursive: true, force: true, maxRetries: 5 })
  }

  return {
    async withTools(owner, work) {
      const taken = new Map<Kind, Decoder>()
      const ask = async (asked: DecoderTask, source: Source, run: Run) => {
        run.signal.throwIfAborted()
        if (source.size === 0) throw emptyFile()
        const type = asked.task === 'read' ? 'reading' : FORMATS[source.format].type
        const decoder = taken.get(type) ?? (await take(owner, type))
        taken.set(type, decoder)
        const result = await askDecoder(
          decoder,
          asked,
          source,
          type === 'video' ? await binaries() : null,
          run,
        )
        return { result, file: (name: string) => takeOut(decoder.folders.own, name, run.dir) }
      }
      try {
        return await work({
          async inspect(source, run) {
            return RESULTS.inspect.parse((await ask({ task: 'inspect' }, source, run)).result)
          },
          async convert(source, target, run) {
            const answer = await ask({ task: 'convert', target }, source, run)
            const { file, ...facts } = RESULTS.convert.parse(answer.result)
            run.onProgress(100)
            return { ...facts, ...(await answer.file(file)) }
          },
          async preview(source, run) {
            const { type } = FORMATS[source.format]
            if (type !== 'image' && type !== 'video') return null
            const answer = await ask({ task: 'preview' }, source, run)
            const { file, ...quality } = RESULTS.preview.parse(answer.result)
            return { ...quality, ...(await answer.file(file)) }
          },
          async page(source, size, run) {
            const answer = await ask({ task: 'page', size }, source, run)
            const { file, ...sides } = RESULTS.page.parse(answer.result)
            return { ...sides, path: (await answer.file(file)).path }
          },
          async read(source, wish, run) {
            return RESULTS.read.parse((await ask({ task: 'read', wish }, source, run)).result)
          },
          async sheet(source, run) {
            const answer = await ask({ task: 'sheet' }, source, run)
            const { path } = await answer.file(RESULTS.sheet.parse(answer.result).file)
            return { path }
          },
        })
      } finally {
        for (const decoder of taken.values()) await giveBack(owner, decoder)
      }
    },
    async close() {
      for (const ready of idle.values()) for (const { timer } of ready) clearTimeout(timer)
      idle.clear()
      await Promise.all([...all].map(discard))
    },
  }
}

const keyOf = (owner: number | string, type: Kind) => `${owner} ${type}`

async function askDecoder(
  decoder: Decoder,
  asked: DecoderTask,
  source: Source,
  binaries: Binaries | null,
  run: Run,
) {
  const { format, size } = source
  const name = await bringIn(decoder, source)
  const began = Date.now()
  try {
    return await inSpan(`${binaries ? 'ffmpeg' : 'decoder'} ${asked.task}`, { format, size }, () =>
      decoder.process.ask({
        request: { ...asked, source: { name, format, size }, binaries },
        signal: run.signal,
        longest_ms: COSTS[decoder.type].seconds * 1000,
        onPercent: run.onProgress,
      }),
    )
  } finally {
    decoder.busy_ms += Date.now() - began
  }
}

/**
 * Copies the original to the process, in the place of the one before: a reflink where the file system has them,
 * never a way to the original itself.
 */
async function bringIn(decoder: Decoder, source: Source) {
  const { loaded, folders } = decoder
  if (loaded?.source === source) return loaded.name
  if (loaded) await unlink(join(folders.own, loaded.name))
  const name = `original${decoder.originals++}.${FORMATS[source.format].ext}`
  const path = join(folders.own, name)
  await copyFile(source.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  const original = await openPlain(path)
  try {
    // As root the process runs under another account; the folder is closed to all but the two.
    await original.chmod(0o444)
  } finally {
    await original.close()
  }
  decoder.loaded = { source, name }
  return name
}

/**
 * Removes the files of a process that lives, which may at any moment put a link in the place of anything: unlinking
 * follows none. False when something is left, a folder among others: to empty it means to follow paths, which is
 * only safe when the process is gone.
 */
async function isEmptied(own: string) {
  try {
    for (const name of await readdir(own)) await unlink(join(own, name))
    return true
  } catch {
    return false
  }
}

/** A file in the process's folder, never what a link put there leads to. Neither waits for the writer of a pipe. */
const openPlain = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)

/**
 * Copies a finished file out of the process's folder. The process may have put anything there under that name, and
 * may still hold it open: links are not followed, and what goes on is a file that it never had.
 */
async function takeOut(own: string, name: string, dir: string) {
  const from = await openPlain(join(own, name))
  try {
    if (!(await from.stat()).isFile()) throw new Error('A decoding process left something that is no file')
    const path = join(dir, name)
    const to = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(from.createReadStream({ autoClose: false, highWaterMark: 512 * 1024 }), to)
    return { path, size: to.bytesWritten }
  } finally {
    await from.close()
  }
}
