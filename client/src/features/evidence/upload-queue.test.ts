import type { UploadFields, UploadResult } from '@garantia/shared/evidence/schema'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUploadQueue, PARALLEL_UPLOADS, RETRY_DELAYS_MS, type Transport } from './upload-queue.ts'
import { summaryOf } from './upload-summary.ts'

const photo = (name: string, size = 1_000) => new File([new Uint8Array(size)], name, { lastModified: 1 })
const nothing: UploadResult = { message: '', uploaded: [], skipped: [], errors: [], total_files: 1 }
const here = (detail: string): UploadResult => ({
  ...nothing,
  skipped: [{ filename: 'a', evidence_id: 1, detail }],
})

class Offline extends Error {}

/** A network whose answers the test gives by hand, file by file. */
function network() {
  const calls: {
    file: File
    fields: UploadFields
    progress: (loaded: number) => void
    answer: (result: UploadResult) => void
    fail: (error: Error) => void
  }[] = []
  const transport: Transport = {
    send: (file, fields, { signal, onProgress }) =>
      new Promise((answer, fail) => {
        signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')))
        calls.push({ file, fields, progress: onProgress, answer, fail })
      }),
    isPassing: (error) => error instanceof Offline,
    reasonOf: (error) => (error as Error).message,
  }
  const last = (name: string) =>
    calls.findLast(({ file }) => file.name === name) ?? expect.fail(`${name} was not sent`)
  return { transport, calls, last }
}
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const statesOf = (queue: ReturnType<typeof createUploadQueue>) =>
  Object.fromEntries(queue.items().map(({ file, state }) => [file.name, state]))

describe('the upload queue (D-22)', () => {
  test('sends two files at a time, one a request, with their category', async () => {
    const { transport, calls, last } = network()
    const queue = createUploadQueue(transport)
    queue.add(['a', 'b', 'c'].map((name) => photo(name)))
    const sent = queue.send({ category: 'defeito', description: 'Ruído' })
    expect(calls.map(({ file }) => file.name)).toEqual(['a', 'b'])
    expect(calls).toHaveLength(PARALLEL_UPLOADS)
    expect(calls[0]?.fields).toEqual({ category: 'defeito', description: 'Ruído' })
    last('a').answer(nothing)
    await settle()
    expect(statesOf(queue)).toEqual({ a: 'sent', b: 'sending', c: 'sending' })
    last('b').answer(nothing)
    last('c').answer(nothing)
    await sent
    expect(summaryOf(queue.items())).toMatchObject({
      total: 3,
      sent: 3,
      under_way: 0,
      bytes: 3_000,
      loaded: 3_000,
    })
  })

  test('a refused file carries its reason and never holds up the others', async () => {
    const { transport, last } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a'), photo('b'), photo('c')])
    const sent = queue.send({})
    last('a').fail(new Error('Arquivo vazio'))
    last('b').answer({
      ...nothing,
      errors: [{ filename: 'b', detail: 'Tipo não aceito', code: 'unsupported' }],
    })
    await settle()
    last('c').answer(here('Este arquivo já está na OS'))
    await sent
    expect(queue.items().map(({ state, reason }) => [state, reason])).toEqual([
      ['refused', 'Arquivo vazio'],
      ['refused', 'Tipo não aceito'],
      ['already_there', 'Este arquivo já está na OS'],
    ])
  })

  test('a dead network is tried again with growing pauses, then the file can be retried by hand', async () => {
    const { transport, calls, last } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a')])
    const sent = queue.send({})
    for (const delay of RETRY_DELAYS_MS) {
      const before = calls.length
      last('a').fail(new Offline('Sem conexão'))
      await settle()
      expect(statesOf(queue)).toEqual({ a: 'retrying' })
      await vi.advanceTimersByTimeAsync(delay - 1)
      expect(calls).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(calls).toHaveLength(before + 1)
    }
    last('a').fail(new Offline('Sem conexão'))
    await sent
    expect(queue.items()[0]).toMatchObject({ state: 'failed', reason: 'Sem conexão' })
    const again = queue.retry()
    last('a').answer(nothing)
    await again
    expect(statesOf(queue)).toEqual({ a: 'sent' })
  })

  test('a returning network ends the pause at once', async () => {
    const { transport, calls, last } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a')])
    void queue.send({})
    last('a').fail(new Offline('Sem conexão'))
    await settle()
    queue.wake()
    await settle()
    expect(calls).toHaveLength(2)
  })

  test('«already there» after a new try means that the first one had arrived', async () => {
    const { transport, last } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a')])
    const sent = queue.send({})
    last('a').fail(new Offline('Sem conexão'))
    await settle()
    queue.wake()
    await settle()
    last('a').answer(here('Este arquivo já está na OS'))
    await sent
    expect(statesOf(queue)).toEqual({ a: 'sent' })
  })

  test('cancelling stops what is under way and keeps the files for another go', async () => {
    const { transport, calls, last } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a'), photo('b'), photo('c')])
    const sent = queue.send({})
    last('a').answer(nothing)
    await settle()
    queue.cancel()
    await sent
    expect(statesOf(queue)).toEqual({ a: 'sent', b: 'chosen', c: 'chosen' })
    expect(calls).toHaveLength(3)
    void queue.send({})
    await settle()
    expect(calls.slice(3).map(({ file }) => file.name)).toEqual(['b', 'c'])
  })

  test('a file taken off the list while it is sent frees its line', async () => {
    const { transport, calls } = network()
    const queue = createUploadQueue(transport)
    queue.add([photo('a'), photo('b'), photo('c')])
    void queue.send({})
    queue.remove(queue.items()[0]?.key ?? 0)
    await settle()
    expect(statesOf(queue)).toEqual({ b: 'sending', c: 'sending' })
    expect(calls.map(({ file }) => file.name)).toEqual(['a', 'b', 'c'])
  })

  test('the same file chosen twice is listed once', () => {
    const queue = createUploadQueue(network().transport)
    expect(queue.add([photo('a'), photo('a'), photo('a', 2)])).toBe(2)
    expect(queue.add([photo('a')])).toBe(0)
  })

  test('progress tells bytes and speed, without a notice for every event', async () => {
    const { transport, last } = network()
    let time = 0
    const queue = createUploadQueue(transport, () => time)
    queue.add([photo('a', 10_000)])
    void queue.send({})
    let notices = 0
    queue.subscribe(() => notices++)
    for (time = 10; time <= 1_000; time += 10) last('a').progress(time * 10)
    const [item] = queue.items()
    expect(notices).toBeLessThan(10)
    expect(item?.loaded).toBeGreaterThan(8_000)
    expect(item?.bytes_per_second).toBe(10_000)
  })
})
