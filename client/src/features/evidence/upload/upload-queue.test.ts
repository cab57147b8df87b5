import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { byKey } from './upload-item.ts'
import { PARALLEL_UPLOADS, RETRY_DELAYS_MS } from './upload-queue.ts'
import {
  ANA,
  acceptedReceipt,
  createUploadHarness,
  duplicateReceipt,
  Failure,
  flushPromises,
  offline,
  order,
  photo,
  photos,
} from './upload-queue-harness.ts'
import { byUrgency, summaryOf } from './upload-summary.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('upload queue: network (D-22)', () => {
  test('sends two files at a time, with their order, category and description', async () => {
    const { queue, calls, last, states, sent } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c'))
    queue.send(order.id, { category: 'defeito', description: 'Ruído' })
    expect(sent()).toEqual(['a', 'b'])
    expect(calls).toHaveLength(PARALLEL_UPLOADS)
    expect(calls[0]?.upload).toMatchObject({
      person: ANA,
      order,
      fields: { category: 'defeito', description: 'Ruído' },
    })
    last('a').answer(acceptedReceipt)
    await flushPromises()
    expect(states()).toEqual({ a: 'sent', b: 'sending', c: 'sending' })
    last('b').answer(acceptedReceipt)
    last('c').answer(acceptedReceipt)
    await flushPromises()
    expect(summaryOf(queue.items())).toMatchObject({
      total: 3,
      sent: 3,
      under_way: 0,
      bytes: 3_000,
      loaded: 3_000,
    })
  })

  test('a file is sent with its own category, or none, and the others with the one chosen for all', () => {
    const { queue, last, itemOf } = createUploadHarness()
    queue.add(order, photos('a', 'b'))
    queue.categorize(byKey(itemOf('a').key), 'placa')
    queue.categorize(byKey(itemOf('b').key), null)
    queue.send(order.id, { category: 'defeito', description: 'Ruído' })
    queue.add(order, photos('c'))
    queue.pause()
    queue.send(order.id, { category: 'teste', description: null })
    // What was sent keeps its category: a resumed upload would be another one on the server.
    queue.categorize(byKey(itemOf('a').key), 'chassi')
    queue.resume()
    expect(last('a').upload.fields).toEqual({ category: 'placa', description: 'Ruído' })
    expect(last('b').upload.fields).toEqual({ category: null, description: 'Ruído' })
    expect(itemOf('c').fields).toEqual({ category: 'teste', description: null })
  })

  test('a refused file keeps its reason and does not block the others; duplicates are reported as already there', async () => {
    const { queue, last } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c'))
    queue.send(order.id, {})
    last('a').fail(new Failure('refused', 'Arquivo vazio'))
    last('b').fail(new Failure('failed', 'Sem espaço em disco'))
    await flushPromises()
    last('c').answer(duplicateReceipt)
    await flushPromises()
    expect(queue.items().map(({ state, reason }) => [state, reason])).toEqual([
      ['refused', 'Arquivo vazio'],
      ['failed', 'Sem espaço em disco'],
      ['already_there', 'Este arquivo já está na OS'],
    ])
    expect(byUrgency(queue.items()).map(({ file }) => file.name)).toEqual(['a', 'b', 'c'])
  })

  test('network failures are retried indefinitely with growing delays', async () => {
    const { queue, calls, last, states } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c'))
    queue.send(order.id, {})
    const delays = [...RETRY_DELAYS_MS, RETRY_DELAYS_MS.at(-1) ?? 0, RETRY_DELAYS_MS.at(-1) ?? 0]
    for (const delay of delays) {
      const before = calls.length
      last('a').fail(offline())
      last('b').fail(offline())
      await flushPromises()
      expect(states()).toEqual({ a: 'offline', b: 'offline', c: 'queued' })
      await vi.advanceTimersByTimeAsync(delay - 1)
      expect(calls).toHaveLength(before)
      await vi.advanceTimersByTimeAsync(1)
      expect(calls).toHaveLength(before + 2)
    }
    last('a').answer(acceptedReceipt)
    await flushPromises()
    expect(states()).toEqual({ a: 'sent', b: 'sending', c: 'sending' })
  })

  test('a busy server is retried a limited number of times, respecting Retry-After, then manually', async () => {
    const { queue, calls, last, states } = createUploadHarness()
    queue.add(order, photos('a'))
    queue.send(order.id, {})
    last('a').fail(new Failure('busy', 'Muitas requisições', 20_000))
    await flushPromises()
    expect(states()).toEqual({ a: 'retrying' })
    await vi.advanceTimersByTimeAsync(19_999)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toHaveLength(2)
    for (let again = 1; again <= RETRY_DELAYS_MS.length; again++) {
      last('a').fail(new Failure('busy', 'Muitas requisições'))
      await vi.advanceTimersByTimeAsync(60_000)
    }
    expect(states()).toEqual({ a: 'failed' })
    queue.resume()
    last('a').answer(acceptedReceipt)
    await flushPromises()
    expect(states()).toEqual({ a: 'sent' })
  })

  test('the retry delay stays short while attempts make progress', async () => {
    let time = 0
    const { queue, calls, last } = createUploadHarness({ now: () => time })
    queue.add(order, [photo('a', 100_000)])
    queue.send(order.id, {})
    for (let turn = 1; turn <= 20; turn++) {
      time += 1_000
      last('a').progress(turn * 4_000)
      last('a').fail(offline())
      await vi.advanceTimersByTimeAsync(RETRY_DELAYS_MS[1] ?? 0)
    }
    expect(calls).toHaveLength(21)
    expect(queue.items()[0]?.loaded).toBe(80_000)
  })

  test('when the network returns, the delay ends at once', async () => {
    const { queue, calls, last } = createUploadHarness()
    queue.add(order, photos('a'))
    queue.send(order.id, {})
    last('a').fail(offline())
    await flushPromises()
    queue.retryNow()
    await flushPromises()
    expect(calls).toHaveLength(2)
  })

  test('«already there» after a retry means that an earlier attempt had arrived', async () => {
    const { queue, last, states } = createUploadHarness()
    queue.add(order, photos('a'))
    queue.send(order.id, {})
    last('a').fail(offline())
    await flushPromises()
    queue.retryNow()
    await flushPromises()
    last('a').answer(duplicateReceipt)
    await flushPromises()
    expect(states()).toEqual({ a: 'sent' })
  })

  test('progress reports bytes and speed of the current attempt only, throttled', async () => {
    let time = 0
    const { queue, last } = createUploadHarness({ now: () => time })
    queue.add(order, [photo('a', 20_000)])
    queue.send(order.id, {})
    let notices = 0
    queue.subscribe(() => notices++)
    // Resumes at 10,000 bytes, sent by an earlier attempt.
    for (time = 10; time <= 1_000; time += 10) last('a').progress(10_000 + time * 10)
    const [item] = queue.items()
    expect(notices).toBeLessThan(11)
    expect(item?.loaded).toBeGreaterThan(18_000)
    expect(item?.bytes_per_second).toBe(10_000)
    // What came shortly before the connection broke is not lost with the throttled event.
    last('a').fail(offline())
    await flushPromises()
    expect(queue.items()).toMatchObject([{ state: 'offline', loaded: 20_000, bytes_per_second: 0 }])
  })
})
