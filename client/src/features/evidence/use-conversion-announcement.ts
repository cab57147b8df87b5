import type { ConversionReport } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { useEffect, useRef } from 'react'
import { toast } from '../../ui/feedback/toaster.tsx'

const progressText = ({ converted_count, failed_count, total_files }: ConversionReport) => {
  const ready = `${converted_count} de ${counted(total_files, 'arquivo pronto', 'arquivos prontos')}`
  return failed_count > 0 ? `${ready}, ${failed_count} com erro` : ready
}

/** Screen reader text while files are being converted, and a toast when the last one has finished. */
export function useConversionAnnouncement(order_id: number, report: ConversionReport | undefined) {
  const seen = useRef({ order_id, report })
  useEffect(() => {
    const before = seen.current.order_id === order_id ? seen.current.report : undefined
    seen.current = { order_id, report }
    if (!report || !before || report.converting_count > 0) return
    // A short conversion can begin and end between two polls.
    const hasChanged =
      before.converting_count > 0 ||
      report.converted_count > before.converted_count ||
      report.failed_count > before.failed_count
    if (!hasChanged) return
    const show = report.failed_count > 0 ? toast.warning : toast.success
    show({ title: 'Conversão concluída', description: progressText(report) })
  }, [order_id, report])
  return report && report.converting_count > 0 ? progressText(report) : ''
}
