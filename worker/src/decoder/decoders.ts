import { join } from 'node:path'
import { FORMATS } from '@garantia/shared/evidence/formats'
import { inSpan } from '@garantia/shared/tracing'
import type { MediaTools, Run, Source } from '../media/media.ts'
import { emptyFile } from '../media/refusal.ts'
import { COSTS, type Kind } from './costs.ts'
import { type DecoderTask, RESULTS } from './messages.ts'
import type { DecoderHost, Place } from './place.ts'

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

/** Between two files of an order a process waits this long, since it takes 0.2 s of processor time to start one. */
const IDLE_MS = 5_000
const FILES_PER_PROCESS = 50
/** The limit of processor time is one of the process: with this share of it behind it, it gets no further file. */
const MOST_OF_CPU_LIMIT = 0.1

interface Decoder {
  type: Kind
  place: Place
  /** The original in its folder. */
  loaded: { source: Source; name: string } | undefined
  /** Originals so far: each has a name of its own, by which the process knows one that it has inspected. */
  originals: number
  files: number
  busy_ms: number
}

/** Decodes each file in a process that has nothing but that file (see sandbox.sh), kept for the order's next one. */
export function openDecoders(host: Pick<DecoderHost, 'start'>): Decoders {
  const idle = new Map<string, { decoder: Decoder; timer: NodeJS.Timeout }[]>()
  const all = new Set<Decoder>()

  async function start(type: Kind): Promise<Decoder> {
    const place = await host.start(type)
    const decoder: Decoder = { type, place, loaded: undefined, originals: 0, files: 0, busy_ms: 0 }
    all.add(decoder)
    return decoder
  }

  async function take(owner: number | string, type: Kind) {
    const key = keyOf(owner, type)
    const ready = idle.get(key) ?? []
    for (let next = ready.pop(); next; next = ready.pop()) {
      if (ready.length === 0) idle.delete(key)
      clearTimeout(next.timer)
      if (next.decoder.place.isAlive()) return next.decoder
      await discard(next.decoder)
    }
    return start(type)
  }

  async function giveBack(owner: number | string, decoder: Decoder) {
    const { place, busy_ms, type } = decoder
    decoder.files++
    const isUsedUp =
      decoder.files >= FILES_PER_PROCESS || busy_ms > COSTS[type].cpu_seconds * 1000 * MOST_OF_CPU_LIMIT
    if (isUsedUp || !place.isAlive() || !all.has(decoder)) return discard(decoder)
    decoder.loaded = undefined
    if (!(await place.empty())) return discard(decoder)
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
    await decoder.place.end()
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
        const result = await askDecoder(decoder, asked, source, run)
        const file = async (name: string) => {
          const path = join(run.dir, name)
          return { path, size: await decoder.place.take(name, path) }
        }
        return { result, file }
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

async function askDecoder(decoder: Decoder, asked: DecoderTask, source: Source, run: Run) {
  const { format, size } = source
  const { type, place } = decoder
  const name = await bringIn(decoder, source)
  const began = Date.now()
  try {
    return await inSpan(`${type === 'video' ? 'ffmpeg' : 'decoder'} ${asked.task}`, { format, size }, () =>
      place.ask({
        request: { ...asked, source: { name, format, size } },
        signal: run.signal,
        longest_ms: COSTS[type].seconds * 1000,
        onPercent: run.onProgress,
      }),
    )
  } finally {
    decoder.busy_ms += Date.now() - began
  }
}

/** Gives the original to the process, in the place of the one before. */
async function bringIn(decoder: Decoder, source: Source) {
  const { loaded, place } = decoder
  if (loaded?.source === source) return loaded.name
  if (loaded) await place.remove(loaded.name)
  const name = `original${decoder.originals++}.${FORMATS[source.format].ext}`
  await place.put(name, source.path)
  decoder.loaded = { source, name }
  return name
}
