import { expect, test } from 'vitest'
import { isSingleKey, type KeyPress, strokeLabels, strokeOf } from './shortcut-keys.ts'

const press = (key: string, modifiers: Partial<KeyPress> & { isAltGr?: boolean } = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...modifiers,
  getModifierState: (name) => name === 'AltGraph' && modifiers.isAltGr === true,
})

test('a stroke is the character, not the physical key: ABNT2, US and AltGr all give the slash', () => {
  expect(strokeOf(press('/', { code: 'IntlRo' }))).toBe('/')
  expect(strokeOf(press('/', { code: 'Slash' }))).toBe('/')
  expect(strokeOf(press('/', { code: 'KeyQ', isAltGr: true }))).toBe('/')
  expect(strokeOf(press('/', { code: 'KeyQ', isAltGr: true, ctrlKey: true, altKey: true }))).toBe('/')
  expect(strokeOf(press('?', { code: 'IntlRo', shiftKey: true }))).toBe('?')
  expect(strokeOf(press('?', { code: 'KeyW', isAltGr: true, ctrlKey: true, altKey: true }))).toBe('?')
  expect(strokeOf(press('/', { code: 'IntlRo', ctrlKey: true }))).toBe('mod+/')
  expect(strokeOf(press('[', { code: 'BracketRight' }))).toBe('[')
})

test('dead keys and input methods give no stroke', () => {
  expect(strokeOf(press('Dead', { code: 'Quote' }))).toBeNull()
  expect(strokeOf(press('Process', { code: 'KeyJ' }))).toBeNull()
  expect(strokeOf(press('j', { isComposing: true }))).toBeNull()
  expect(strokeOf(press('Shift', { shiftKey: true }))).toBeNull()
})

test('letters distinguish Shift, regardless of Caps Lock; symbols never include it', () => {
  expect(strokeOf(press('x'))).toBe('x')
  expect(strokeOf(press('X', { shiftKey: true }))).toBe('shift+x')
  expect(strokeOf(press('X'))).toBe('x')
  expect(strokeOf(press('ArrowDown', { shiftKey: true }))).toBe('shift+arrowdown')
  expect(strokeOf(press(' '))).toBe('space')
  expect(strokeOf(press('k', { ctrlKey: true }))).toBe('mod+k')
  expect(strokeOf(press('k', { metaKey: true }))).toBeNull()
  expect(strokeOf(press('¡', { altKey: true, code: 'Digit1' }))).toBe('alt+1')
})

test('single characters can be switched off; arrows, Enter and combinations cannot', () => {
  for (const keys of ['j', '/', '?', '[', 'g d', 'shift+x']) expect(isSingleKey(keys), keys).toBe(true)
  for (const keys of ['arrowdown', 'enter', 'space', 'mod+k', 'alt+1', 'delete', 'shift+arrowdown'])
    expect(isSingleKey(keys), keys).toBe(false)
})

test('keys are labelled as on a Brazilian keyboard', () => {
  expect(strokeLabels('g d')).toEqual(['g', 'd'])
  expect(strokeLabels('mod+k')).toEqual(['Ctrl+K'])
  expect(strokeLabels('mod+/')).toEqual(['Ctrl+/'])
  expect(strokeLabels('shift+arrowdown')).toEqual(['Shift+↓'])
  expect(strokeLabels('space')).toEqual(['Espaço'])
  expect(strokeLabels('alt+1')).toEqual(['Alt+1'])
})
