import { ErrorIcon } from '@blueprintjs/icons'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { ProcessButton, type SlideActionProps } from './viewer-slides.tsx'

/** Why the conversion of the shown file failed; the reason names what can be done about it. */
export function ViewerProblem({ file, mayConvert, isBusy, act }: SlideActionProps & { file: EvidenceFile }) {
  if (file.status !== 'failed') return null
  return (
    <div className="viewer-problem" role="note" aria-label="Erro na conversão">
      <ErrorIcon aria-hidden="true" />
      <p>
        {file.error ?? 'A conversão falhou. Processe de novo; se falhar outra vez, envie o arquivo de novo.'}
      </p>
      {mayConvert && <ProcessButton file={file} isBusy={isBusy} act={act} />}
    </div>
  )
}
