import type { ConversionReport, EvidenceList } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { useEffect, useRef } from 'react'
import { toast } from '../../ui/feedback/toaster.tsx'
import { countFiles } from './grid/evidence-counts.ts'

const progressText = (converted: number, failed: number, total: number) => {
  const ready = `${converted} de ${counted(total, 'arquivo pronto', 'arquivos prontos')}`
  return failed > 0 ? `${ready}, ${failed} com erro` : ready
}

/** Screen reader text while files are being converted. */
export const conversionProgress = (report: ConversionReport | undefined) =>
  report && report.converting_count > 0
    ? progressText(report.converted_count, report.failed_count, report.total_files)
    : ''

/**
 * A toast when no file of the order is being converted any more, on every tab of its page. The conversion is
 * over only when no file waits for it.
 */
export function useConversionToast(order_id: number, list: EvidenceList | undefined) {
  const seen = useRef<{ order_id: number; list: EvidenceList | undefined }>({ order_id, list })
  useEffect(() => {
    const before = seen.current.order_id === order_id ? seen.current.list : undefined
    seen.current = { order_id, list }
    if (!list || !before) return
    const [was, is] = [countFiles(before.evidence_files), countFiles(list.evidence_files)]
    // A short conversion can begin and end between two polls.
    const hasEnded = was.converting > 0 || is.converted > was.converted || is.failed > was.failed
    if (!hasEnded || is.converting > 0 || is.converted + is.failed === 0) return
    const show = is.failed > 0 ? toast.warning : toast.success
    show({
      title: is.pending > 0 ? 'Arquivos convertidos' : 'Conversão concluída',
      description: progressText(is.converted, is.failed, is.total),
    })
  }, [order_id, list])
}
