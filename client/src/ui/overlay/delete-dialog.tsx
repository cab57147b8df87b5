import { Callout } from '@blueprintjs/core'
import { TrashIcon } from '@blueprintjs/icons'
import { type ReactNode, useRef } from 'react'
import { messageOf, statusOf } from '../../lib/messages.ts'
import { toast } from '../feedback/toaster.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** «Excluir» becomes «Desativar»: a second press within this time was meant for the former. */
const SECOND_PRESS_MS = 500

interface Props<Row> {
  /**
   * Null keeps the dialog closed. It stays mounted so that focus can return to the element that opened it.
   */
  row: Row | null
  nameOf: (row: Row) => string
  /** Why the removal was refused; a 409 offers to deactivate the row. */
  refusal: unknown
  /** A row that is already inactive cannot be deactivated instead. */
  isActive: (row: Row) => boolean
  onRemove: (row: Row) => Promise<unknown>
  onDeactivate: (row: Row) => Promise<unknown>
  onClose: () => void
  /** The consequence. */
  children: ReactNode
}

interface Outcome {
  /** Toast texts for a deleted, a deactivated and a kept row. */
  deleted: string
  deactivated: string
  kept: string
  onDone: () => void
}
/**
 * Mutation callbacks for deletion and deactivation with their toasts; the reason of a 409 is shown in the
 * dialog itself.
 */
export function outcomeOf({ deleted, deactivated, kept, onDone }: Outcome) {
  const end = (description: string) => () => {
    toast.success({ title: 'Sucesso!', description })
    onDone()
  }
  const fail = (description: string) => toast.error({ title: 'Erro', description })
  return {
    removal: {
      onSuccess: end(deleted),
      onError: (error: unknown) => fail(statusOf(error) === 409 ? kept : messageOf(error)),
    },
    deactivation: { onSuccess: end(deactivated), onError: (error: unknown) => fail(messageOf(error)) },
  }
}

/** Deletes a row; on a 409 explains what depends on it and offers to deactivate it instead (D-17). */
export function DeleteDialog<Row>(props: Props<Row>) {
  const { row, nameOf, refusal, isActive } = props
  const last = useRef(row)
  if (row) last.current = row
  const shown = row ?? last.current
  const hasDependents = statusOf(refusal) === 409
  const offersToDeactivate = hasDependents && shown !== null && isActive(shown)
  const verb = offersToDeactivate ? 'Desativar' : 'Excluir'
  const remove = async (shown: Row) => {
    try {
      await props.onRemove(shown)
    } catch (error) {
      if (statusOf(error) === 409) await new Promise((resolve) => setTimeout(resolve, SECOND_PRESS_MS))
      throw error
    }
  }
  const confirm = () => row && (offersToDeactivate ? props.onDeactivate(row) : remove(row))
  return (
    <ConfirmDialog
      isOpen={row !== null}
      title={`${verb} «${shown ? nameOf(shown) : ''}»?`}
      icon={offersToDeactivate ? undefined : <TrashIcon />}
      confirmText={verb}
      onConfirm={confirm}
      onCancel={props.onClose}
    >
      {hasDependents ? (
        <Callout compact intent="danger" icon={null} role="alert">
          {messageOf(refusal)}
        </Callout>
      ) : (
        props.children
      )}
    </ConfirmDialog>
  )
}
