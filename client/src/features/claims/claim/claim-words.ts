import { DUE_KIND, type DueKind } from '@garantia/shared/claims/due-kinds'
import type { ClaimLineView, ClaimRow } from '@garantia/shared/claims/schema'
import { LINE_KIND } from '@garantia/shared/claims/state'
import { calendarDaysBetween, counted, dayText } from '@garantia/shared/format'

const quantities = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 3 })
/** What identifies a line beside its description: «Peça 48510-02 · 2 un», «Mão de obra 1234 · 1,5 h». */
export function lineFacts({ kind, ...line }: ClaimLineView) {
  const facts = {
    part: [line.part_number, line.quantity !== null && `${quantities.format(line.quantity)} un`],
    labour: [line.labour_code, line.hours !== null && `${quantities.format(line.hours)} h`],
    third_party: [line.supplier, line.document && `NF ${line.document}`],
  }
  const [name, ...rest] = facts[kind]
  return [`${LINE_KIND[kind]}${name ? ` ${name}` : ''}`, ...rest, line.is_causal && 'causal']
    .filter(Boolean)
    .join(' · ')
}

/** What is due of a claim, and whether its day has passed; null when nothing is. */
export function dueText({ due_on, due_kind }: Pick<ClaimRow, 'due_on' | 'due_kind'>) {
  if (due_on === null) return null
  const days = calendarDaysBetween(new Date(), new Date(`${due_on}T12:00:00-03:00`))
  return {
    what: due_kind === null ? 'Prazo' : (DUE_KIND[due_kind as DueKind] ?? 'Prazo'),
    on: dayText(due_on),
    isOverdue: days < 0,
    left:
      days < 0
        ? `há ${counted(-days, 'dia', 'dias')}`
        : days === 0
          ? 'hoje'
          : `em ${counted(days, 'dia', 'dias')}`,
  }
}
