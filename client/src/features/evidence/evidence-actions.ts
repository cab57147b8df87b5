import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { useCallback } from 'react'
import { download } from '../../lib/files.ts'
import { messageOf } from '../../lib/messages.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/feedback/toaster.tsx'
import { useSingleFlight } from '../../ui/press.ts'
import { useFileChanges } from './files/file-changes.ts'

export const busyKeyOf = ({ id }: Pick<EvidenceFile, 'id'>) => `file:${id}`
export const BATCH_BUSY_KEY = 'convert-all'

/** Actions on the files of an order, with their toasts (EVI-18 to EVI-24). */
export function useEvidenceActions(order_id: number) {
  const utils = trpc.useUtils()
  const { mutateAsync: startConversion } = trpc.conversion.convert.useMutation()
  const { mutateAsync: startBatch } = trpc.conversion.convertAll.useMutation()
  const { mutateAsync: removeFile } = trpc.evidence.remove.useMutation()
  const { mutateAsync: restoreFile } = trpc.evidence.restore.useMutation()
  const { busy, once } = useSingleFlight()

  const refresh = useCallback(async () => {
    await Promise.all([
      utils.evidence.list.invalidate({ order_id }),
      utils.conversion.report.invalidate({ order_id }),
      // The file list was updated optimistically; the checklist is only computed on the server.
      utils.evidence.checklist.invalidate({ order_id }),
    ])
  }, [utils, order_id])

  const convert = useCallback(
    (file: EvidenceFile) =>
      once(busyKeyOf(file), async () => {
        try {
          await startConversion({ evidence_id: file.id })
          toast.success({ title: 'Conversão iniciada', description: file.original_filename })
        } catch (error) {
          toast.error({ title: 'Erro ao iniciar conversão', description: messageOf(error) })
        }
        await refresh()
      }),
    [once, startConversion, refresh],
  )

  /** One call for all files, so that the server plans their shares of the size limit together. */
  const convertAll = useCallback(
    (force = false) =>
      once(BATCH_BUSY_KEY, async () => {
        try {
          const { total_files } = await startBatch({ order_id, force })
          toast.success({
            title: 'Conversão em lote iniciada',
            description: counted(total_files, 'arquivo', 'arquivos'),
          })
        } catch (error) {
          toast.error({ title: 'Erro ao iniciar conversão', description: messageOf(error) })
        }
        await refresh()
      }),
    [once, startBatch, order_id, refresh],
  )

  const restore = useCallback(
    async ({ id, original_filename }: EvidenceFile) => {
      try {
        await restoreFile({ id })
        toast.success({ title: 'Arquivo restaurado', description: original_filename })
      } catch (error) {
        toast.error({ title: 'Erro ao restaurar arquivo', description: messageOf(error) })
      }
      await refresh()
    },
    [restoreFile, refresh],
  )

  const remove = useCallback(
    (file: EvidenceFile) =>
      once(busyKeyOf(file), async () => {
        try {
          await removeFile({ id: file.id })
          toast.success({
            title: 'Arquivo excluído',
            description: file.original_filename,
            onUndo: () => void restore(file),
          })
        } catch (error) {
          toast.error({ title: 'Erro ao excluir', description: messageOf(error, 'Erro ao excluir arquivo') })
        }
        await refresh()
      }),
    [once, removeFile, restore, refresh],
  )

  const downloadFile = useCallback(
    (file: EvidenceFile, copy: 'converted' | 'original') =>
      once(busyKeyOf(file), async () => {
        const isOriginal = copy === 'original'
        const name = isOriginal ? file.original_filename : (file.converted_filename ?? file.original_filename)
        try {
          await download(`/evidence/${file.id}/download${isOriginal ? '?original=true' : ''}`, name)
        } catch (error) {
          toast.error({
            title: 'Erro ao baixar',
            description: messageOf(error, 'Não foi possível baixar o arquivo'),
          })
        }
      }),
    [once],
  )

  const { changeFiles } = useFileChanges(order_id, refresh)
  const convertChosen = useCallback(
    (ids: readonly number[], force: boolean) =>
      once(BATCH_BUSY_KEY, async () => {
        try {
          for (const evidence_id of ids) await startConversion({ evidence_id, force })
          toast.success({
            title: 'Conversão iniciada',
            description: counted(ids.length, 'arquivo', 'arquivos'),
          })
        } catch (error) {
          toast.error({ title: 'Erro ao iniciar conversão', description: messageOf(error) })
        }
        await refresh()
      }),
    [once, startConversion, refresh],
  )

  return { busy, changeFiles, convertChosen, convert, convertAll, remove, downloadFile }
}
