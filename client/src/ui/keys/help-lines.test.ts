import { expect, test } from 'vitest'
import { helpGroups } from './help-lines.ts'
import type { Shortcut } from './shortcut-registry.ts'

const shortcut = (keys: string[], words: string, more: Partial<Shortcut> = {}): Shortcut => ({
  keys,
  words,
  act: () => undefined,
  place: 'screen',
  worksInFields: false,
  mayRepeat: false,
  isOffered: true,
  when: () => true,
  layer: null,
  ...more,
})
const ALL = [
  shortcut(['j'], 'Linha seguinte', { place: 'table' }),
  shortcut(['arrowdown'], 'Linha seguinte', { place: 'table' }),
  shortcut(['n'], 'Nova OS'),
  shortcut(['n'], 'Nova OS', { place: 'everywhere' }),
  shortcut(['mod+k'], 'Buscar', { place: 'everywhere' }),
  shortcut(['mod+s'], 'Salvar', { layer: 'dialog' }),
  shortcut([], 'Exportar'),
]

test('the help sheet has a line for each deed with all its keys, the nearest place first', () => {
  expect(helpGroups(ALL, true)).toEqual([
    { heading: 'Nesta tela', lines: [{ words: 'Nova OS', keys: ['n'] }] },
    { heading: 'Na tabela', lines: [{ words: 'Linha seguinte', keys: ['j', 'arrowdown'] }] },
    {
      heading: 'Em todo lugar',
      lines: [
        { words: 'Nova OS', keys: ['n'] },
        { words: 'Buscar', keys: ['mod+k'] },
      ],
    },
  ])
})

test('keys that are switched off are not told', () => {
  const keys = helpGroups(ALL, false).flatMap(({ lines }) => lines.flatMap((line) => line.keys))
  expect(keys).toEqual(['arrowdown', 'mod+k'])
})
