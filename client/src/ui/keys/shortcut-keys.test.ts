import { expect, test } from 'vitest'
import { isSingleKey, type KeyPress, strokeLabels, strokeOf } from './shortcut-keys.ts'

const press = (key: string, held: Partial<KeyPress> & { isAltGr?: boolean } = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...held,
  getModifierState: (name) => name === 'AltGraph' && held.isAltGr === true,
})

test('a key is known by its character, wherever the board has it: ABNT2, US and AltGr all give the slash', () => {
  expect(strokeOf(press('/', { code: 'IntlRo' }))).toBe('/')
  expect(strokeOf(press('/', { code: 'Slash' }))).toBe('/')
  expect(strokeOf(press('/', { code: 'KeyQ', isAltGr: true }))).toBe('/')
  expect(strokeOf(press('/', { code: 'KeyQ', isAltGr: true, ctrlKey: true, altKey: true }))).toBe('/')
  expect(strokeOf(press('?', { code: 'IntlRo', shiftKey: true }))).toBe('?')
  expect(strokeOf(press('?', { code: 'KeyW', isAltGr: true, ctrlKey: true, altKey: true }))).toBe('?')
  expect(strokeOf(press('/', { code: 'IntlRo', ctrlKey: true }))).toBe('mod+/')
  expect(strokeOf(press('[', { code: 'BracketRight' }))).toBe('[')
})

test('accents and input methods are no shortcuts', () => {
  expect(strokeOf(press('Dead', { code: 'Quote' }))).toBeNull()
  expect(strokeOf(press('Process', { code: 'KeyJ' }))).toBeNull()
  expect(strokeOf(press('j', { isComposing: true }))).toBeNull()
  expect(strokeOf(press('Shift', { shiftKey: true }))).toBeNull()
})

test('letters tell Shift from none, with Caps Lock too; signs never ask for it', () => {
  expect(strokeOf(press('x'))).toBe('x')
  expect(strokeOf(press('X', { shiftKey: true }))).toBe('shift+x')
  expect(strokeOf(press('X'))).toBe('x')
  expect(strokeOf(press('ArrowDown', { shiftKey: true }))).toBe('shift+arrowdown')
  expect(strokeOf(press(' '))).toBe('space')
  expect(strokeOf(press('k', { ctrlKey: true }))).toBe('mod+k')
  expect(strokeOf(press('k', { metaKey: true }))).toBeNull()
  expect(strokeOf(press('¡', { altKey: true, code: 'Digit1' }))).toBe('alt+1')
})

test('what is one character falls under the off switch; arrows, Enter and combinations do not', () => {
  for (const keys of ['j', '/', '?', '[', 'g d', 'shift+x']) expect(isSingleKey(keys), keys).toBe(true)
  for (const keys of ['arrowdown', 'enter', 'space', 'mod+k', 'alt+1', 'delete', 'shift+arrowdown'])
    expect(isSingleKey(keys), keys).toBe(false)
})

test('keys are shown as a Brazilian keyboard names them', () => {
  expect(strokeLabels('g d')).toEqual(['g', 'd'])
  expect(strokeLabels('mod+k')).toEqual(['Ctrl+K'])
  expect(strokeLabels('mod+/')).toEqual(['Ctrl+/'])
  expect(strokeLabels('shift+arrowdown')).toEqual(['Shift+↓'])
  expect(strokeLabels('space')).toEqual(['Espaço'])
  expect(strokeLabels('alt+1')).toEqual(['Alt+1'])
})
