import { Button } from '@blueprintjs/core'
import type { ValidationResult } from '@garantia/shared/evidence/checks'
import type { EvidenceList } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useEffect, useRef } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'

export const CHECKLIST_ID = 'exigencias'

/** Messages shown in the toast; the full list is beside the files. */
const MAX_TOAST_ERRORS = 4

/**
 * The result of validate, refetched whenever files or order change, and a mutation for the full validation on
 * demand.
 */
export function useChecklist(order: OrderView, list: EvidenceList) {
  const utils = trpc.useUtils()
  const input = { order_id: order.id }
  const { data } = trpc.evidence.checklist.useQuery(input, { placeholderData: (before) => before })
  const state = JSON.stringify([
    order.version,
    list.evidence_files.map(({ id, status, evidence_category, reading }) => [
      ...[id, status, evidence_category],
      ...[reading?.verdict, reading?.text],
    ]),
  ])
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) void utils.evidence.checklist.invalidate({ order_id: order.id })
    before.current = state
  }, [state, utils, order.id])

  const validation = trpc.evidence.validate.useMutation({
    onSuccess(result) {
      utils.evidence.checklist.setData(input, result)
      announce(result)
    },
    onError: (error) => toast.error({ title: 'Erro ao validar', description: messageOf(error) }),
  })
  const { press, isBusy } = usePress(() => validation.mutateAsync(input))
  return { result: data, validate: () => press(), isValidating: isBusy }
}

/** Shows and focuses the list in which the toast's problems all are. */
function showProblems() {
  const list = document.getElementById(CHECKLIST_ID)
  list?.scrollIntoView({ block: 'start' })
  list?.focus({ preventScroll: true })
}

function announce({ is_valid, errors, warnings }: ValidationResult) {
  if (is_valid)
    return toast.success({
      title: 'Evidências validadas com sucesso',
      description: warnings.length > 0 && `${counted(warnings.length, 'aviso', 'avisos')} para conferir`,
    })
  const more = errors.length - MAX_TOAST_ERRORS
  return toast.warning({
    title: 'Problemas na validação',
    description: (
      <ul className="toast-list">
        {errors.slice(0, MAX_TOAST_ERRORS).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {more > 0 && (
          <li>
            <Button variant="minimal" size="small" text={`e mais ${more}`} onClick={showProblems} />
          </li>
        )}
      </ul>
    ),
  })
}
