import { Button, InputGroup } from '@blueprintjs/core'
import { TrashIcon } from '@blueprintjs/icons'
import { DIFFERENCE } from '@garantia/shared/claims/reasons'
import { LINE_OUTCOME, type RemittanceReport } from '@garantia/shared/claims/remittance'
import type { LineProblem } from '@garantia/shared/claims/remittance-line'
import { brl } from '@garantia/shared/format'
import { type ClipboardEvent, type KeyboardEvent, memo, useCallback, useRef } from 'react'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import {
  afterEnter,
  changedRows,
  isBlank,
  pastedRows,
  TYPED_COLUMNS,
  TYPED_LABEL,
  type TypedColumn,
  type TypedRow,
  withoutRow,
} from './typed-lines.ts'

type Difference = RemittanceReport['differences'][number]
interface Props {
  rows: readonly TypedRow[]
  onRows: (change: (rows: readonly TypedRow[]) => TypedRow[]) => void
  /** By the number of the line; without a report nothing is said yet. */
  problems: readonly LineProblem[]
  report: RemittanceReport | undefined
}
interface Act {
  change: (index: number, column: TypedColumn, text: string) => void
  paste: (index: number, column: TypedColumn, text: string) => void
  remove: (index: number) => void
  focus: (index: number, column: TypedColumn) => void
}

/**
 * Lines of a remittance: Enter goes on to what the line needs and to the next one, the arrows up and down, Ctrl+Delete
 * removes the line, and cells of a spreadsheet are pasted as lines.
 */
export function TypedGrid({ rows, onRows, problems, report }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const focus = useCallback((index: number, column: TypedColumn) => {
    // At once: what is typed right after the key belongs to the next cell.
    table.current?.querySelector<HTMLInputElement>(`[data-cell="${index} ${column}"]`)?.focus()
  }, [])
  const act = useRef<Act>(null)
  act.current ??= {
    change: (index, column, text) => onRows((rows) => changedRows(rows, index, column, text)),
    paste: (index, column, text) => onRows((rows) => pastedRows(rows, index, column, text)),
    remove: (index) => {
      onRows((rows) => withoutRow(rows, index))
      requestAnimationFrame(() => focus(index, 'brand_number'))
    },
    focus,
  }
  useShortcut(
    'mod+delete',
    () => {
      const index = indexOfCell(document.activeElement)
      if (rows[index] && !isBlank(rows[index])) act.current?.remove(index)
    },
    { worksInFields: true, label: 'Excluir linha', when: (focused) => indexOfCell(focused) >= 0 },
  )
  const problemOf = new Map(problems.map((problem) => [problem.line, problem]))
  const differenceOf = new Map((report?.differences ?? []).map((one) => [one.line, one]))
  return (
    <table ref={table} className="typed-grid" aria-label="Linhas do demonstrativo">
      <thead>
        <tr>
          <th scope="col">Linha</th>
          {TYPED_COLUMNS.map((column) => (
            <th key={column} scope="col" className={column === 'amount' ? 'claim-amount' : undefined}>
              {TYPED_LABEL[column]}
            </th>
          ))}
          <th scope="col">Conferência</th>
          <th scope="col">
            <span className="visually-hidden">Ações</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <Line
            key={row.key}
            row={row}
            index={index}
            act={act.current as Act}
            problem={problemOf.get(index + 1)}
            difference={differenceOf.get(index + 1)}
            isChecked={report !== undefined && !isBlank(row)}
          />
        ))}
      </tbody>
    </table>
  )
}

/** The line of the cell that has the focus; -1 outside of the cells. */
const indexOfCell = (focused: EventTarget | null) =>
  Number((focused instanceof HTMLElement ? focused.dataset.cell : undefined)?.split(' ')[0] ?? -1)

interface LineProps {
  row: TypedRow
  index: number
  act: Act
  problem: LineProblem | undefined
  difference: Difference | undefined
  isChecked: boolean
}
const Line = memo(function Line({ row, index, act, problem, difference, isChecked }: LineProps) {
  const errorId = `typed-problem-${row.key}`
  const onKeyDown = (column: TypedColumn) => (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (ctrlKey || metaKey || altKey || shiftKey) return
    if (key === 'Enter') {
      const to = afterEnter(row, column)
      act.focus(to.isNext ? index + 1 : index, to.column)
    } else if (key === 'ArrowUp' || key === 'ArrowDown')
      act.focus(key === 'ArrowUp' ? index - 1 : index + 1, column)
    else return
    event.preventDefault()
  }
  const onPaste = (column: TypedColumn) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text.trim())) return
    event.preventDefault()
    act.paste(index, column, text)
  }
  return (
    <tr className={isBlank(row) ? 'is-blank' : undefined}>
      <td className="numeric typed-number">{index + 1}</td>
      {TYPED_COLUMNS.map((column) => (
        <td key={column} data-label={TYPED_LABEL[column]}>
          <InputGroup
            fill
            size="small"
            className={column === 'amount' ? 'typed-amount' : undefined}
            aria-label={`${TYPED_LABEL[column]}, linha ${index + 1}`}
            aria-invalid={problem?.field === column ? true : undefined}
            aria-describedby={problem ? errorId : undefined}
            intent={problem?.field === column ? 'danger' : 'none'}
            data-cell={`${index} ${column}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            inputMode={column === 'amount' ? 'decimal' : 'text'}
            placeholder={column === 'amount' ? '0,00' : undefined}
            value={row[column]}
            onChange={({ currentTarget }) => act.change(index, column, currentTarget.value)}
            onKeyDown={onKeyDown(column)}
            onPaste={onPaste(column)}
          />
        </td>
      ))}
      <td className="typed-outcome">
        {problem ? (
          <span id={errorId} className="field-error">
            {problem.message}
          </span>
        ) : (
          isChecked && <Outcome difference={difference} />
        )}
      </td>
      <td className="typed-remove">
        {!isBlank(row) && (
          <Button
            variant="minimal"
            size="small"
            icon={<TrashIcon />}
            aria-label={`Excluir linha ${index + 1}`}
            title="Excluir linha"
            onClick={() => act.remove(index)}
          />
        )}
      </td>
    </tr>
  )
})

const Outcome = ({ difference: one }: { difference: Difference | undefined }) =>
  one ? (
    <>
      <span>{one.difference ? DIFFERENCE[one.difference] : LINE_OUTCOME[one.outcome]}</span>
      {one.claim && (
        <span className="cell-second numeric">
          {one.claim}
          {one.expected !== null && `, esperado ${brl(one.expected)}`}
        </span>
      )}
    </>
  ) : (
    <span className="muted">{LINE_OUTCOME.matched}</span>
  )
