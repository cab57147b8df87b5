import { expect, test } from 'vitest'
import { helpGroups } from './help-lines.ts'
import type { Shortcut } from './shortcut-registry.ts'

const shortcut = (keys: string[], label: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys,
  label,
  act: () => undefined,
  scope: 'screen',
  worksInFields: false,
  mayRepeat: false,
  isInPalette: true,
  when: () => true,
  layer: null,
  ...more,
})
const ALL = [
  shortcut(['j'], 'Linha seguinte', { scope: 'table' }),
  shortcut(['arrowdown'], 'Linha seguinte', { scope: 'table' }),
  shortcut(['n'], 'Nova OS'),
  shortcut(['n'], 'Nova OS', { scope: 'everywhere' }),
  shortcut(['mod+k'], 'Buscar', { scope: 'everywhere' }),
  shortcut(['mod+s'], 'Salvar', { layer: 'dialog' }),
  shortcut([], 'Exportar'),
]

test('the help sheet has one line per action with all its keys, nearest scope first', () => {
  expect(helpGroups(ALL, true)).toEqual([
    { heading: 'Nesta tela', lines: [{ label: 'Nova OS', keys: ['n'] }] },
    { heading: 'Na tabela', lines: [{ label: 'Linha seguinte', keys: ['j', 'arrowdown'] }] },
    {
      heading: 'Em todo lugar',
      lines: [
        { label: 'Nova OS', keys: ['n'] },
        { label: 'Buscar', keys: ['mod+k'] },
      ],
    },
  ])
})

test('keys that are switched off are not listed', () => {
  const keys = helpGroups(ALL, false).flatMap(({ lines }) => lines.flatMap((line) => line.keys))
  expect(keys).toEqual(['arrowdown', 'mod+k'])
})
