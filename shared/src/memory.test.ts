import { expect, test } from 'vitest'
import { release } from './memory.ts'

test('released bytes are freed, and a view of a larger buffer is left unchanged', () => {
  const own = new Uint8Array(1_000_000)
  release(own)
  expect(own.length).toBe(0)
  expect(own.buffer.byteLength).toBe(0)
  const view = new Uint8Array(1_000).subarray(10, 20)
  release(view)
  expect(view.length).toBe(10)
})
