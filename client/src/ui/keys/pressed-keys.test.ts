import { describe, expect, test } from 'vitest'
import { consumeKey, keyDown, keyUp } from './pressed-keys.ts'

const [field, button] = [new EventTarget(), new EventTarget()]
/** Lets a key go down or come up somewhere, and tells whether anybody else hears of it. */
function press(listener: typeof keyUp, target: EventTarget, key: string, repeat = false) {
  let isHeard = true
  listener({ key, repeat, target, preventDefault() {}, stopPropagation: () => (isHeard = false) })
  return isHeard
}
const down = (target: EventTarget, key = 'Enter') => press(keyDown, target, key)
const held = (target: EventTarget, key = 'Enter') => press(keyDown, target, key, true)
const up = (target: EventTarget, key = 'Enter') => press(keyUp, target, key)

describe('Enter and Space', () => {
  test('press what had the focus when they went down', () => {
    expect([down(button), up(button)]).toEqual([true, true])
    expect([down(button, ' '), up(button, ' ')]).toEqual([true, true])
  })
  test('do not press what took the focus meanwhile', () => {
    expect([down(field), up(button)]).toEqual([true, false])
    expect([down(field, ' '), up(button, ' ')]).toEqual([true, false])
    expect([down(button), up(button)]).toEqual([true, true])
  })
  test('do not press anything once somebody has acted on them', () => {
    down(button)
    consumeKey('Enter')
    expect(up(button)).toBe(false)
  })
  test('do not press what had the focus when another window came to the front', () => {
    expect(up(button)).toBe(false)
  })
  test('send a form once, however long Enter is held', () => {
    expect([down(field), held(field), held(field), held(button), up(button)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

test('all other keys are heard wherever they come up, and go on while they are held', () => {
  expect([down(field, 'j'), held(field, 'j'), up(button, 'j'), held(field, ' ')]).toEqual([
    true,
    true,
    true,
    true,
  ])
})
