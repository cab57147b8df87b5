import type { ConversionReport } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import { useEffect, useRef } from 'react'
import { toast } from '../../ui/toaster.tsx'

const wordsOf = ({ converted_count, failed_count, total_files }: ConversionReport) => {
  const ready = `${converted_count} de ${counted(total_files, 'arquivo pronto', 'arquivos prontos')}`
  return failed_count > 0 ? `${ready}, ${failed_count} com erro` : ready
}

/** The words a screen reader hears while files are converted, and the toast when the last one is through. */
export function useConversionNews(report: ConversionReport | undefined) {
  const before = useRef(report)
  useEffect(() => {
    const wasRunning = (before.current?.converting_count ?? 0) > 0
    before.current = report
    if (!report || !wasRunning || report.converting_count > 0) return
    const show = report.failed_count > 0 ? toast.warning : toast.success
    show({ title: 'Conversão concluída', description: wordsOf(report) })
  }, [report])
  return report && report.converting_count > 0 ? wordsOf(report) : ''
}
