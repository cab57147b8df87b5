import { describe, expect, test } from 'vitest'
import { consumeKey, keyDown, keyUp } from './pressed-keys.ts'

const [field, button] = [new EventTarget(), new EventTarget()]
/** Dispatches a keydown or keyup and tells whether it propagates. */
function press(listener: typeof keyUp, target: EventTarget, key: string, repeat = false) {
  let propagates = true
  listener({ key, repeat, target, preventDefault() {}, stopPropagation: () => (propagates = false) })
  return propagates
}
const down = (target: EventTarget, key = 'Enter') => press(keyDown, target, key)
const repeated = (target: EventTarget, key = 'Enter') => press(keyDown, target, key, true)
const up = (target: EventTarget, key = 'Enter') => press(keyUp, target, key)

describe('Enter and Space', () => {
  test('activate the element focused on keydown', () => {
    expect([down(button), up(button)]).toEqual([true, true])
    expect([down(button, ' '), up(button, ' ')]).toEqual([true, true])
  })
  test('do not activate an element that gets the focus in between', () => {
    expect([down(field), up(button)]).toEqual([true, false])
    expect([down(field, ' '), up(button, ' ')]).toEqual([true, false])
    expect([down(button), up(button)]).toEqual([true, true])
  })
  test('do not activate anything once a handler has consumed the key', () => {
    down(button)
    consumeKey('Enter')
    expect(up(button)).toBe(false)
  })
  test('do not activate anything without a keydown in this window', () => {
    expect(up(button)).toBe(false)
  })
  test('submit a form once, however long Enter is pressed', () => {
    expect([down(field), repeated(field), repeated(field), repeated(button), up(button)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

test('other keys propagate on any element, and repeat', () => {
  expect([down(field, 'j'), repeated(field, 'j'), up(button, 'j'), repeated(field, ' ')]).toEqual([
    true,
    true,
    true,
    true,
  ])
})
