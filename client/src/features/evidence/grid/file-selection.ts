import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { useRef, useState } from 'react'
import { rowsBetween } from '../../../ui/table/row-selection.ts'

export type FileSelection = ReturnType<typeof useFileSelection>

/** The selected files of the grid; files that left the order leave the selection too. */
export function useFileSelection(files: readonly EvidenceFile[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const anchor = useRef<number>(undefined)
  const add = (more: readonly EvidenceFile[]) =>
    setIds((before) => new Set([...before, ...more.map(({ id }) => id)]))
  const drop = (gone: readonly number[]) =>
    setIds((before) => new Set([...before].filter((id) => !gone.includes(id))))
  return {
    files: files.filter(({ id }) => ids.has(id)),
    has: ({ id }: EvidenceFile) => ids.has(id),
    toggle(file: EvidenceFile) {
      anchor.current = file.id
      if (ids.has(file.id)) drop([file.id])
      else add([file])
    },
    /** Selects from the file toggled last to this one. */
    extendTo(file: EvidenceFile) {
      add(rowsBetween(files, anchor.current ?? file.id, file.id))
      anchor.current = file.id
    },
    addAll: () => add(files),
    drop,
    clear: () => setIds(new Set()),
  }
}
