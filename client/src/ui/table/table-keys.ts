import type { RefObject } from 'react'
import { type Binding, useShortcuts } from '../keys/shortcut.ts'
import type { useRovingRows } from './roving-rows.ts'
import type { RowSelection } from './row-selection.ts'

/** A shortcut on the row with the cursor. */
export interface RowKey<Row> {
  keys: string
  label: string
  act: (row: Row) => void
}

/** The peek panel beside the table. */
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
  /** Undefined when there is no such page. */
  toPage: { previous: (() => void) | undefined; next: (() => void) | undefined }
}

/**
 * Shortcuts of a table; those of a row only apply while the row itself has the focus, not a button inside it.
 */
export function useTableKeys<Row extends { id: number }>(options: Options<Row>) {
  const { container, rows, cursor, selection, onOpen, peek, rowKeys, toPage } = options
  const isOnRow = (focused: EventTarget | null) =>
    focused instanceof Element &&
    focused.matches('[data-row]') &&
    container.current?.contains(focused) === true
  const here = () => rows.find(cursor.isCurrent)
  const onRow = (keys: Binding['keys'], label: string, act: (row: Row) => void, more?: Partial<Binding>) => ({
    keys,
    label,
    scope: 'table' as const,
    when: isOnRow,
    act: () => {
      const row = here()
      if (row) act(row)
    },
    ...more,
  })
  const move = (keys: Binding['keys'], label: string, to: () => void): Binding =>
    onRow(keys, label, to, { mayRepeat: true })
  const extend = (by: number) => () => selection?.add(cursor.stepThrough(by))
  // With the peek panel open, j and k move from the cursor even when the focus is outside the table.
  const step = (by: number) => cursor.step(by, peek?.isOpen || undefined)
  const inTable = { scope: 'table', mayRepeat: true } as const

  useShortcuts([
    { keys: 'j', label: 'Linha seguinte', act: () => step(1), ...inTable },
    { keys: 'k', label: 'Linha anterior', act: () => step(-1), ...inTable },
    move('arrowdown', 'Linha seguinte', () => cursor.step(1)),
    move('arrowup', 'Linha anterior', () => cursor.step(-1)),
    move('home', 'Primeira linha', cursor.first),
    move('end', 'Última linha', cursor.last),
    onRow(['enter', 'o'], 'Abrir', (row) => onOpen?.(row), { isEnabled: onOpen !== undefined }),
    ...(peek
      ? [
          onRow('space', 'Espiar', (row) => (peek.isOpen ? peek.close() : peek.show(row)), {
            isInPalette: true,
          }),
          {
            keys: 'escape',
            label: 'Fechar espiada',
            scope: 'table' as const,
            when: () => peek.isOpen,
            act: () => {
              peek.close()
              cursor.focusCurrent()
            },
          },
        ]
      : []),
    ...rowKeys.map(({ keys, label, act }) => onRow(keys, label, act, { isInPalette: true })),
    ...(selection
      ? [
          onRow('x', 'Selecionar', selection.toggle),
          onRow('shift+x', 'Selecionar até aqui', (row) => selection.extendTo(row, rows)),
          move(['shift+j', 'shift+arrowdown'], 'Estender a seleção para baixo', extend(1)),
          move(['shift+k', 'shift+arrowup'], 'Estender a seleção para cima', extend(-1)),
          {
            keys: 'mod+a',
            label: 'Selecionar a página',
            scope: 'table' as const,
            act: () => selection.add(rows),
            when: () => rows.length > 0,
          },
          {
            keys: 'escape',
            label: 'Limpar seleção',
            scope: 'table' as const,
            act: selection.clear,
            when: () => peek?.isOpen !== true && selection.rows.length > 0,
          },
        ]
      : []),
    { keys: '[', label: 'Página anterior', act: () => toPage.previous?.(), ...inTable },
    { keys: ']', label: 'Próxima página', act: () => toPage.next?.(), ...inTable },
    move('pageup', 'Página anterior', () => toPage.previous?.()),
    move('pagedown', 'Próxima página', () => toPage.next?.()),
  ])
}
