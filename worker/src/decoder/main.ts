/**
 * The program of a decoding process: reads one request a line from standard input, answers with lines on
 * descriptor 3. It holds no connection and no secret, and its current folder is all it may write to.
 */
import { writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { CannotConvert, mediaToolsWith, type Source } from '../media/media.ts'
import { OUT_OF_MEMORY, tooDemanding } from '../media/refusal.ts'
import type { DecoderAnswer, DecoderRequest } from './messages.ts'

const ANSWERS = 3
const dir = process.cwd()
const signal = new AbortController().signal

const answer = (message: DecoderAnswer) => writeSync(ANSWERS, `${JSON.stringify(message)}\n`)

let last: Source | undefined

async function work({ source: { name, ...described }, binaries, ...asked }: DecoderRequest) {
  const path = join(dir, name)
  // The tools keep what they have read of a source: the header of a picture, what ffprobe said.
  if (last?.path !== path) last = { ...described, path }
  const source = last
  let said = -1
  const onProgress = (percent: number) => {
    if (Math.floor(percent) === said) return
    said = Math.floor(percent)
    answer({ percent: said })
  }
  const run = { dir, signal, onProgress }
  const media = mediaToolsWith({
    threads: 1,
    binaries: async () => {
      if (binaries) return binaries
      throw new Error('A request for a video names no programs')
    },
  })
  if (asked.task === 'inspect') return media.inspect(source, run)
  if (asked.task === 'convert') return withName(await media.convert(source, asked.target, run))
  if (asked.task === 'page') return withName(await media.page(source, asked.size, run))
  if (asked.task === 'read') return media.read(source, asked.wish, run)
  if (asked.task === 'sheet') return withName(await media.sheet(source, run))
  const preview = await media.preview(source, run)
  return preview && withName(preview)
}

const withName = <T extends { path: string }>({ path, ...rest }: T) => ({ ...rest, file: basename(path) })

function failure(error: unknown): DecoderAnswer {
  const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
  if (error instanceof CannotConvert) return { refusal: message }
  if (OUT_OF_MEMORY.test(message)) return { refusal: tooDemanding().message }
  return { error: message.slice(0, 4_000), ...(code && { code: String(code) }) }
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    answer({ result: await work(JSON.parse(line)) })
  } catch (error) {
    answer(failure(error))
  }
}
