import type { Readable } from 'node:stream'
import { CannotConvert, ParserFailure } from '../media/refusal.ts'
import { answerShape, type DecoderAnswer } from './messages.ts'

/** Characters of one line. The process's own answers are shorter; a longer one would only fill the worker's memory. */
const LONGEST_ANSWER = 64_000

/** Calls `onAnswer` for each line of the stream; with undefined for one that is malformed or too long. */
export function readAnswers(stream: Readable, onAnswer: (answer: DecoderAnswer | undefined) => void) {
  let pending = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) onAnswer(parsed(line))
    if (pending.length > LONGEST_ANSWER) onAnswer(undefined)
  })
  stream.on('error', () => undefined)
}

function parsed(line: string): DecoderAnswer | undefined {
  if (line.length > LONGEST_ANSWER) return undefined
  try {
    return answerShape.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/**
 * The error that an answer stands for: CannotConvert for a refusal, ParserFailure where a library failed, a plain Error,
 * worth a retry, where something has a code. Undefined for a result.
 */
export function errorOf(answer: Exclude<DecoderAnswer, { percent: number }>) {
  if ('refusal' in answer) return new CannotConvert(answer.refusal)
  if (!('error' in answer)) return undefined
  const { error, code } = answer
  return code ? Object.assign(new Error(error), { code }) : new ParserFailure(error)
}

/** The answer that stands for an error of `errorOf`; a plain Error without a code gets one. */
export function answerOf(error: unknown): DecoderAnswer {
  const { message, code }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error))
  if (error instanceof CannotConvert) return { refusal: message }
  const text = message.slice(0, 4_000)
  return error instanceof ParserFailure ? { error: text } : { error: text, code: String(code ?? 'ENDED') }
}
