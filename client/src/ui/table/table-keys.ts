import type { RefObject } from 'react'
import { type Binding, useShortcuts } from '../keys/shortcut.ts'
import type { useRovingRows } from './roving-rows.ts'
import type { RowSelection } from './row-selection.ts'

/** What a key does to the row that has the cursor. */
export interface RowKey<Row> {
  keys: string
  words: string
  act: (row: Row) => void
}

/** A row at a glance, beside the table. */
export interface RowPeek<Row> {
  isOpen: boolean
  show: (row: Row) => void
  close: () => void
}

interface Options<Row extends { id: number }> {
  container: RefObject<HTMLElement | null>
  rows: readonly Row[]
  cursor: ReturnType<typeof useRovingRows<Row>>
  selection: RowSelection<Row> | undefined
  onOpen: ((row: Row) => void) | undefined
  peek: RowPeek<Row> | undefined
  rowKeys: readonly RowKey<Row>[]
  /** Undefined where there is no such page. */
  toPage: { previous: (() => void) | undefined; next: (() => void) | undefined }
}

/** The keys of a table; those of a row only while the row itself has the focus, not a button inside it. */
export function useTableKeys<Row extends { id: number }>(options: Options<Row>) {
  const { container, rows, cursor, selection, onOpen, peek, rowKeys, toPage } = options
  const isOnRow = (focused: EventTarget | null) =>
    focused instanceof Element &&
    focused.matches('[data-row]') &&
    container.current?.contains(focused) === true
  const here = () => rows.find(cursor.isCurrent)
  const onRow = (keys: Binding['keys'], words: string, act: (row: Row) => void, more?: Partial<Binding>) => ({
    keys,
    words,
    place: 'table' as const,
    when: isOnRow,
    act: () => {
      const row = here()
      if (row) act(row)
    },
    ...more,
  })
  const move = (keys: Binding['keys'], words: string, to: () => void): Binding =>
    onRow(keys, words, to, { mayRepeat: true })
  const extend = (by: number) => () => selection?.add(cursor.walk(by))
  // Beside an open glance the person is in the table all the same.
  const step = (by: number) => cursor.step(by, peek?.isOpen || undefined)
  const inTable = { place: 'table', mayRepeat: true } as const

  useShortcuts([
    { keys: 'j', words: 'Linha seguinte', act: () => step(1), ...inTable },
    { keys: 'k', words: 'Linha anterior', act: () => step(-1), ...inTable },
    move('arrowdown', 'Linha seguinte', () => cursor.step(1)),
    move('arrowup', 'Linha anterior', () => cursor.step(-1)),
    move('home', 'Primeira linha', cursor.first),
    move('end', 'Última linha', cursor.last),
    onRow(['enter', 'o'], 'Abrir', (row) => onOpen?.(row), { isEnabled: onOpen !== undefined }),
    ...(peek
      ? [
          onRow('space', 'Espiar', (row) => (peek.isOpen ? peek.close() : peek.show(row)), {
            isOffered: true,
          }),
          {
            keys: 'escape',
            words: 'Fechar espiada',
            place: 'table' as const,
            when: () => peek.isOpen,
            act: () => {
              peek.close()
              cursor.comeBack()
            },
          },
        ]
      : []),
    ...rowKeys.map(({ keys, words, act }) => onRow(keys, words, act, { isOffered: true })),
    ...(selection
      ? [
          onRow('x', 'Selecionar', selection.toggle),
          onRow('shift+x', 'Selecionar até aqui', (row) => selection.extendTo(row, rows)),
          move(['shift+j', 'shift+arrowdown'], 'Estender a seleção para baixo', extend(1)),
          move(['shift+k', 'shift+arrowup'], 'Estender a seleção para cima', extend(-1)),
          {
            keys: 'mod+a',
            words: 'Selecionar a página',
            place: 'table' as const,
            act: () => selection.add(rows),
            when: () => rows.length > 0,
          },
          {
            keys: 'escape',
            words: 'Limpar seleção',
            place: 'table' as const,
            act: selection.clear,
            when: () => peek?.isOpen !== true && selection.rows.length > 0,
          },
        ]
      : []),
    { keys: '[', words: 'Página anterior', act: () => toPage.previous?.(), ...inTable },
    { keys: ']', words: 'Próxima página', act: () => toPage.next?.(), ...inTable },
    move('pageup', 'Página anterior', () => toPage.previous?.()),
    move('pagedown', 'Próxima página', () => toPage.next?.()),
  ])
}
