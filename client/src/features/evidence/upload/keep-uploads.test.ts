import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { byKey, type KeptUpload, type UploadStore } from './upload-item.ts'
import {
  ANA,
  acceptedReceipt,
  BIA,
  createUploadHarness,
  Failure,
  flushPromises,
  order,
  photo,
  photos,
} from './upload-queue-harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What a device keeps; `left` is of pages that are gone. */
function fakeStore(left: KeptUpload[] = [], { isFull = false } = {}) {
  const kept = new Map<string, string>()
  const paused = new Set<string>()
  const store: UploadStore = {
    async keep({ id, file }) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      kept.set(id, file.name)
    },
    forget: async (ids) => {
      for (const id of ids) kept.delete(id)
    },
    setPaused: async (ids, isPaused) => {
      for (const id of ids) isPaused ? paused.add(id) : paused.delete(id)
    },
    takeOver: async (person) => left.filter((one) => one.person === person),
  }
  const pausedNames = () => [...paused].map((id) => kept.get(id))
  return { store, pausedNames, names: () => [...kept.values()] }
}
const leftBy = (person: number, name: string, is_paused = false): KeptUpload => {
  return { id: name, person, order, file: photo(name), fields: { category: 'placa' }, is_paused }
}

test('what is sent is kept until it has arrived, is refused or removed; what is only chosen is not', async () => {
  const { store, names } = fakeStore()
  const { queue, last, itemOf } = createUploadHarness({ store })
  queue.add(order, photos('a', 'b', 'c', 'd'))
  await flushPromises()
  expect(names()).toEqual([])
  queue.send(order.id, {})
  await flushPromises()
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  expect(itemOf('d').is_kept).toBe(true)
  last('a').answer(acceptedReceipt)
  last('b').fail(new Failure('refused', 'Tipo não aceito'))
  await flushPromises()
  expect(names()).toEqual(['c', 'd'])
  queue.remove(byKey(itemOf('c').key))
  await flushPromises()
  expect(names()).toEqual(['d'])
  // May be tried again, also tomorrow.
  last('d').fail(new Failure('failed', 'Erro'))
  await flushPromises()
  expect(names()).toEqual(['d'])
})

test('what a page that is gone has left is sent with its fields, in its order', async () => {
  const { store } = fakeStore([leftBy(ANA, 'a'), leftBy(ANA, 'b'), leftBy(BIA, 'z')])
  const { states, calls } = createUploadHarness({ store })
  await flushPromises()
  expect(states()).toEqual({ a: 'sending', b: 'sending' })
  expect(calls.map(({ upload }) => upload.fields)).toEqual([{ category: 'placa' }, { category: 'placa' }])
})

test('what is found after its person has left waits for that person', async () => {
  const { store } = fakeStore([leftBy(ANA, 'a')])
  const { queue, states, sent } = createUploadHarness({ store })
  queue.setOwner(BIA)
  await flushPromises()
  expect(states()).toEqual({})
  expect(sent()).toEqual([])
  queue.setOwner(ANA)
  expect(states()).toMatchObject({ a: 'sending' })
})

test('a full device is known, and sends all the same', async () => {
  const { store } = fakeStore([], { isFull: true })
  const { queue, states, itemOf } = createUploadHarness({ store })
  queue.add(order, photos('a'))
  queue.send(order.id, {})
  await flushPromises()
  expect(itemOf('a').is_kept).toBe(false)
  expect(states()).toEqual({ a: 'sending' })
})

test('what was paused is still paused on the page that takes it over', async () => {
  const { store, pausedNames } = fakeStore([leftBy(ANA, 'a', true)])
  const { queue, states, itemOf } = createUploadHarness({ store })
  await flushPromises()
  expect(states()).toEqual({ a: 'paused' })
  queue.resume()
  expect(states()).toEqual({ a: 'sending' })
  queue.add(order, photos('b'))
  queue.send(order.id, {})
  queue.pause(byKey(itemOf('b').key))
  await flushPromises()
  expect(pausedNames()).toEqual(['b'])
  queue.resume()
  await flushPromises()
  expect(pausedNames()).toEqual([])
})

test('one that its order refuses stays on the device until somebody removes it', async () => {
  const { store, names } = fakeStore()
  const { queue, last, itemOf } = createUploadHarness({ store })
  queue.add(order, photos('a'))
  queue.send(order.id, {})
  await flushPromises()
  last('a').fail(new Failure('refused', 'OS concluída', 0, false))
  await flushPromises()
  expect(itemOf('a').state).toBe('refused')
  queue.clearDone()
  await flushPromises()
  expect(names()).toEqual(['a'])
  queue.resume()
  expect(itemOf('a').state).toBe('sending')
  last('a').fail(new Failure('refused', 'OS concluída', 0, false))
  await flushPromises()
  queue.remove(byKey(itemOf('a').key))
  await flushPromises()
  expect(names()).toEqual([])
})
