import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { byKey, byOrder } from './upload-item.ts'
import {
  ANA,
  acceptedReceipt,
  BIA,
  createUploadHarness,
  Failure,
  flushPromises,
  order,
  other,
  photo,
  photos,
} from './upload-queue-harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('upload queue: pause, cancel and users', () => {
  test('pausing keeps files and frees slots; resuming continues', async () => {
    const { queue, last, states, sent, itemOf, discarded, endedReports } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c'))
    queue.send(order.id, {})
    queue.pause(byKey(itemOf('a').key))
    expect(states()).toEqual({ a: 'paused', b: 'sending', c: 'sending' })
    queue.pause()
    await flushPromises()
    expect(states()).toEqual({ a: 'paused', b: 'paused', c: 'paused' })
    expect(last('b').isStopped()).toBe(true)
    queue.resume()
    expect(states()).toEqual({ a: 'sending', b: 'sending', c: 'queued' })
    expect(sent()).toEqual(['a', 'b', 'c', 'a', 'b'])
    last('a').answer(acceptedReceipt)
    await flushPromises()
    queue.pause()
    await flushPromises()
    expect(endedReports).toEqual([])
    queue.cancel()
    await flushPromises()
    expect(endedReports).toEqual([['000123', ['a']]])
    expect(discarded).toEqual(['b', 'c'])
  })

  test('cancelling removes unfinished files here and on the server, and keeps finished ones', async () => {
    const { queue, last, states, sent, itemOf, discarded } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c', 'd'))
    queue.send(order.id, {})
    last('a').answer(acceptedReceipt)
    await flushPromises()
    queue.remove(byKey(itemOf('b').key))
    await flushPromises()
    expect(last('b').isStopped()).toBe(true)
    expect(states()).toEqual({ a: 'sent', c: 'sending', d: 'sending' })
    queue.cancel()
    await flushPromises()
    expect(states()).toEqual({ a: 'sent' })
    expect(discarded).toEqual(['b', 'c', 'd'])
    expect(sent()).toEqual(['a', 'b', 'c', 'd'])
    queue.clearDone()
    expect(queue.items()).toEqual([])
  })

  test('several orders share the slots; each is reported when its own files have ended', async () => {
    const { queue, last, states, endedReports } = createUploadHarness()
    queue.add(order, photos('a', 'b'))
    queue.send(order.id, {})
    queue.add(other, photos('c'))
    queue.send(other.id, {})
    last('a').answer(acceptedReceipt)
    await flushPromises()
    expect(endedReports).toEqual([])
    last('c').answer(acceptedReceipt)
    await flushPromises()
    last('b').fail(new Failure('refused', 'Tipo não aceito'))
    await flushPromises()
    expect(endedReports).toEqual([
      ['000124', ['c']],
      ['000123', ['a', 'b']],
    ])
    queue.add(order, photos('d'))
    expect(states()).toMatchObject({ d: 'chosen' })
    queue.send(order.id, {})
    last('d').answer(acceptedReceipt)
    await flushPromises()
    expect(endedReports.at(-1)).toEqual(['000123', ['d']])
    queue.clearDone(byOrder(other.id))
    expect(Object.keys(states())).toEqual(['a', 'b', 'd'])
  })

  test('uploads wait after sign-out; only the same user sees and continues them', async () => {
    const { queue, last, states, sent } = createUploadHarness()
    queue.add(order, photos('a', 'b', 'c'))
    queue.send(order.id, {})
    last('a').answer(acceptedReceipt)
    await flushPromises()
    queue.setOwner(null)
    await flushPromises()
    expect(last('b').isStopped()).toBe(true)
    expect(queue.items()).toEqual([])
    expect(queue.add(order, photos('x'))).toBe(0)
    queue.setOwner(BIA)
    expect(queue.items()).toEqual([])
    queue.add(order, photos('z'))
    queue.send(order.id, {})
    last('z').answer(acceptedReceipt)
    await flushPromises()
    queue.setOwner(null)
    queue.setOwner(ANA)
    await flushPromises()
    expect(states()).toEqual({ a: 'sent', b: 'sending', c: 'sending' })
    expect(sent()).toEqual(['a', 'b', 'c', 'z', 'b', 'c'])
  })

  test('a file chosen twice is listed once per order, and can be chosen again after it has finished', async () => {
    const { queue, last } = createUploadHarness()
    expect(queue.add(order, [photo('a'), photo('a'), photo('a', 2)])).toBe(2)
    expect(queue.add(order, photos('a'))).toBe(0)
    expect(queue.add(other, photos('a'))).toBe(1)
    queue.send(order.id, {})
    last('a').answer(acceptedReceipt)
    await flushPromises()
    queue.clearDone()
    expect(queue.add(order, [photo('a', 2)])).toBe(1)
  })

  test('chosen but unsent files are dropped with their dialog, without a call to the server', () => {
    const { queue, states, discarded } = createUploadHarness()
    queue.add(order, photos('a'))
    queue.add(other, photos('b'))
    queue.discardUnsent(order.id)
    expect(states()).toEqual({ b: 'chosen' })
    expect(discarded).toEqual([])
  })
})
