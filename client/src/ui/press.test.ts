import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchedFetch } from '../lib/connection.ts'
import { ApiError } from '../lib/messages.ts'
import { IsDialogOpen, usePress, useSave } from './press.ts'

/** As much of a document as React needs for components that draw nothing. */
const container = () => {
  const ownerDocument = { nodeType: 9, addEventListener: () => {}, activeElement: null }
  return { nodeType: 1, tagName: 'DIV', ownerDocument, addEventListener: () => {} } as unknown as Element
}

let token: string | null
let root: Root
beforeEach(() => {
  token = 'abc'
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // It asks whether the focus is in a frame.
  vi.stubGlobal('window', { HTMLIFrameElement: class {} })
  vi.stubGlobal('localStorage', { getItem: () => token })
  root = createRoot(container())
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const OPEN = { current: true, whenClosing: () => () => undefined }
function Caller({ call }: { call: () => void }) {
  call()
  return null
}
/** Draws a component with the hook, in a dialog; `button()` is what the hook has returned last. */
async function draw<Value>(useIt: () => Value, dialog = OPEN) {
  let last: Value
  const call = () => {
    last = useIt()
  }
  const drawAgain = () =>
    act(async () =>
      root.render(createElement(IsDialogOpen, { value: dialog }, createElement(Caller, { call }))),
    )
  await drawAgain()
  return { button: () => last, drawAgain }
}

/** Work that ends when the test says so. */
function work() {
  const begun: { resolve: () => void; reject: (error: Error) => void }[] = []
  const begin = vi.fn(() => new Promise<void>((resolve, reject) => void begun.push({ resolve, reject })))
  const end = (number: number) => act(async () => begun[number]?.resolve())
  const fail = (number: number, error: Error) => act(async () => begun[number]?.reject(error))
  return { begin, begun, end, fail }
}

test('pressed twice at once, a button acts once; pressed after the answer, it acts again', async () => {
  const { begin, end } = work()
  const { button } = await draw(() => usePress(begin))
  const { press } = button()
  await act(async () => {
    press()
    press()
  })
  expect(button().isBusy).toBe(true)
  await act(async () => button().press())
  expect(begin).toHaveBeenCalledTimes(1)
  await end(0)
  expect(button().isBusy).toBe(false)
  await act(async () => button().press())
  expect(begin).toHaveBeenCalledTimes(2)
})

test('a press is ignored until what followed from the last one is on the screen', async () => {
  const { begin, begun } = work()
  const { button } = await draw(() => usePress(begin))
  await act(async () => button().press())
  await act(async () => {
    begun[0]?.resolve()
    // The answer has been dealt with; nothing is drawn before the end of this block.
    await new Promise((resolve) => setTimeout(resolve, 0))
    button().press()
  })
  expect(begin).toHaveBeenCalledTimes(1)
})

test('a dialog that is closing, and a button whose own dialog is closed, ignore presses', async () => {
  const dialog = { ...OPEN }
  const act1 = vi.fn()
  const { button } = await draw(() => usePress(act1), dialog)
  dialog.current = false
  await act(async () => button().press())
  expect(act1).not.toHaveBeenCalled()

  let isOpen = true
  const act2 = vi.fn()
  const own = await draw(() => usePress(act2, isOpen))
  isOpen = false
  await own.drawAgain()
  await act(async () => own.button().press())
  expect(act2).not.toHaveBeenCalled()
})

test.each([
  ['ended', 'abc', null],
  ['began', null, 'abc'],
])('a press by which the session %s is the last one', async (_, before, after) => {
  token = before
  const { begin, end } = work()
  const { button } = await draw(() => usePress(begin))
  await act(async () => button().press())
  token = after
  await end(0)
  await act(async () => button().press())
  expect(begin).toHaveBeenCalledTimes(1)
})

test('after a refusal the button can be pressed again', async () => {
  const { begin, fail } = work()
  const { button } = await draw(() => usePress(begin))
  await act(async () => button().press())
  await fail(0, new ApiError(409, 'Já existe'))
  expect(button().isBusy).toBe(false)
  await act(async () => button().press())
  expect(begin).toHaveBeenCalledTimes(2)
})

/** The server is away until `bringBack`, as a proxy answers for it. */
async function awayServer() {
  vi.useFakeTimers()
  let isThere = false
  vi.stubGlobal('fetch', async () => new Response(null, { status: isThere ? 200 : 502 }))
  await watchedFetch('/trpc/orders.change', { method: 'POST' })
  return async () => {
    isThere = true
    await act(() => vi.advanceTimersByTimeAsync(3_000))
  }
}
const UNREACHED = new ApiError(0, undefined)

test('a form that is saved while the server is away is sent once more when it is back, with what is in it by then', async () => {
  const bringBack = await awayServer()
  const sent: string[] = []
  let typed = 'um'
  const { button, drawAgain } = await draw(() => {
    const now = typed
    return useSave(async () => {
      sent.push(now)
      if (sent.length === 1) throw UNREACHED
    })
  })
  await act(async () => button().press())
  expect(button().isBusy).toBe(false)
  typed = 'dois'
  await drawAgain()
  await bringBack()
  expect(sent).toEqual(['um', 'dois'])
})

test('a press while a save waits takes its place, and a form that has been left is not sent', async () => {
  const bringBack = await awayServer()
  const save = vi.fn(async () => {
    throw UNREACHED
  })
  const { button } = await draw(() => useSave(save))
  await act(async () => button().press())
  await act(async () => button().press())
  expect(save).toHaveBeenCalledTimes(2)
  await act(async () => root.render(null))
  await bringBack()
  expect(save).toHaveBeenCalledTimes(2)
})
