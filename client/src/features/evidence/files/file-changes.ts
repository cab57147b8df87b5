import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import type { EvidenceChange, EvidenceFile } from '@garantia/shared/evidence/schema'
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
      try {
        for (const { file, change } of changes) await changeFile({ id: file.id, change })
        return true
      } catch (error) {
        toast.error({ title: 'Erro ao alterar arquivo', description: messageOf(error) })
        return false
      } finally {
        await refresh()
      }
    },
    [utils, order_id, changeFile, refresh],
  )

  const changeFiles = useCallback(
    async (changes: readonly FileChange[]) => {
      const real = changes.filter(isReal)
      if (real.length === 0 || !(await apply(real))) return
      toast.success({
        title: real.some(({ change }) => 'evidence_category' in change)
          ? 'Categoria alterada'
          : 'Descrição alterada',
        description: summaryText(real),
        onUndo: () => void apply(real.map(inverse)),
      })
    },
    [apply],
  )
  return { changeFiles }
}

const namesOf = (change: EvidenceChange) => Object.keys(change) as (keyof EvidenceChange)[]
const isReal = ({ file, change }: FileChange) => namesOf(change).some((name) => file[name] !== change[name])
const inverse = ({ file, change }: FileChange): FileChange => ({
  file,
  change: Object.fromEntries(namesOf(change).map((name) => [name, file[name]])),
})

function summaryText(changes: readonly FileChange[]) {
  const [only, ...others] = changes
  if (!only || others.length > 0) return counted(changes.length, 'arquivo', 'arquivos')
  const { evidence_category: category } = only.change
  return category
    ? `${only.file.original_filename}: ${EVIDENCE_CATEGORY[category]}`
    : only.file.original_filename
}
