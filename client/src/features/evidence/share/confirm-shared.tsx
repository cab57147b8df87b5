import { Button, Callout } from '@blueprintjs/core'
import { dateTime } from '@garantia/shared/format'
import { confirmSharedFiles, forgetSharedFiles, type SharedFile } from '../../../lib/shared-files.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'

interface Props {
  files: readonly SharedFile[]
  person: number
  onDecided: () => Promise<unknown>
}

/** Says where files came from as far as that is known, and asks whether the person has shared them. */
export function ConfirmShared({ files, person, onDecided }: Props) {
  const asked = files.filter(({ isConfirmed }) => !isConfirmed)
  const { press: decide, isBusy } = usePress(async (isTheirs: boolean) => {
    const ids = asked.map(({ id }) => id)
    try {
      await (isTheirs ? confirmSharedFiles(ids, person) : forgetSharedFiles(ids))
    } catch {
      toast.error({
        title: 'Erro ao gravar',
        description: 'O navegador não abriu o que guarda neste aparelho.',
      })
      return
    }
    await onDecided()
  })
  const since = asked[0] && dateTime(asked[0].at)
  return (
    <Callout className="share-question" intent="warning" aria-labelledby="quem-compartilhou" role="group">
      <h2 id="quem-compartilhou">Foi você quem compartilhou?</h2>
      <p>
        Recebido desde {since}, de outro app deste aparelho ou de um site que não disse o nome
        {asked.some(({ hadPerson }) => !hadPerson) && ', quando ninguém tinha entrado no Garantia'}. Confira
        os arquivos acima.
      </p>
      <div className="share-answers">
        <Button intent="primary" disabled={isBusy} text="Sim, usar" onClick={() => decide(true)} />
        <Button disabled={isBusy} text="Não, descartar" onClick={() => decide(false)} />
      </div>
    </Callout>
  )
}
