import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import {
  type EvidenceChange,
  type EvidenceChangesResult,
  type EvidenceFile,
  FILES_AT_ONCE_MAX,
} from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { useCallback } from 'react'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'

export interface FileChange {
  file: EvidenceFile
  change: EvidenceChange
}

/**
 * Changes category and description of files: optimistically in the cache, then on the server; «Desfazer»
 * reverts it.
 */
export function useFileChanges(order_id: number, refresh: () => Promise<void>) {
  const utils = trpc.useUtils()
  const { mutateAsync: changeFile } = trpc.evidence.change.useMutation()
  const { mutateAsync: changeMany } = trpc.evidence.changeMany.useMutation()

  /** One call for several files, so that all are changed or, if it fails, none. */
  const send = useCallback(
    async (changes: readonly FileChange[]): Promise<EvidenceChangesResult['refused']> => {
      const [only, ...others] = changes
      if (!only) return []
      if (others.length > 0) return (await changeMany({ order_id, changes: changes.map(asSeen) })).refused
      await changeFile({ id: only.file.id, change: only.change })
      return []
    },
    [changeFile, changeMany, order_id],
  )

  /** Returns the changes that were made. */
  const apply = useCallback(
    async (changes: readonly FileChange[]) => {
      const byId = new Map(changes.map(({ file, change }) => [file.id, change]))
      await utils.evidence.list.cancel({ order_id })
      utils.evidence.list.setData(
        { order_id },
        (list) =>
          list && {
            ...list,
            evidence_files: list.evidence_files.map((file) => ({ ...file, ...byId.get(file.id) })),
          },
      )
      const made: FileChange[] = []
      try {
        for (let from = 0; from < changes.length; from += FILES_AT_ONCE_MAX) {
          const part = changes.slice(from, from + FILES_AT_ONCE_MAX)
          const refused = await send(part)
          made.push(...part.filter(({ file }) => refused.every(({ id }) => id !== file.id)))
          if (refused.length > 0) reportRefused(refused)
        }
      } catch (error) {
        toast.error({ title: 'Erro ao alterar arquivo', description: messageOf(error) })
      } finally {
        await refresh()
      }
      return made
    },
    [utils, order_id, send, refresh],
  )

  const changeFiles = useCallback(
    async (changes: readonly FileChange[]) => {
      const real = changes.filter(isReal)
      if (real.length === 0) return changes
      const made = await apply(real)
      if (made.length > 0)
        toast.success({
          title: made.some(({ change }) => 'evidence_category' in change)
            ? 'Categoria alterada'
            : 'Descrição alterada',
          description: summaryText(made),
          onUndo: () => void apply(made.map(inverse)),
        })
      return [...changes.filter((change) => !real.includes(change)), ...made]
    },
    [apply],
  )
  return { changeFiles }
}

const namesOf = (change: EvidenceChange) => Object.keys(change) as (keyof EvidenceChange)[]
const isReal = ({ file, change }: FileChange) => namesOf(change).some((name) => file[name] !== change[name])
const asSeen = ({ file: { id, evidence_category }, change }: FileChange) => ({
  ...change,
  id,
  ...('evidence_category' in change && { seen_category: evidence_category }),
})
const inverse = ({ file, change }: FileChange): FileChange => ({
  file: { ...file, evidence_category: change.evidence_category ?? null },
  change: Object.fromEntries(namesOf(change).map((name) => [name, file[name]])),
})

/** Names shown in a toast. */
const MAX_NAMED = 3
function reportRefused(refused: EvidenceChangesResult['refused']) {
  const named = refused
    .slice(0, MAX_NAMED)
    .map(({ filename, id, detail }) => `${filename ?? `nº ${id}`}: ${detail}`)
  toast.warning({
    title: counted(refused.length, 'arquivo não foi alterado', 'arquivos não foram alterados'),
    description: [...named, refused.length > MAX_NAMED ? '…' : ''].join(' '),
  })
}

function summaryText(changes: readonly FileChange[]) {
  const [only, ...others] = changes
  if (!only || others.length > 0) return counted(changes.length, 'arquivo', 'arquivos')
  const { evidence_category: category } = only.change
  return category
    ? `${only.file.original_filename}: ${EVIDENCE_CATEGORY[category]}`
    : only.file.original_filename
}
