import { Button } from '@blueprintjs/core'
import { TickCircleIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { PictureBox } from '@garantia/shared/evidence/picture-box'
import { changeAskedBy, readingSentence, readText } from '@garantia/shared/evidence/reading-warnings'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useSavedOrder } from '../../../lib/live-order.ts'
import { trpc } from '../../../lib/trpc.ts'
import { reportFailedSave } from '../../../ui/feedback/failed-save.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { usePress } from '../../../ui/press.ts'
import './viewer-reading.css'

interface Props {
  file: EvidenceFile
  order: OrderView
  mayEdit: boolean
  /** Null where nothing can be uploaded. */
  onReplace: ((file: EvidenceFile) => void) | null
}

/** What was read in the photo by machine; where it is not what the order says, one press mends either side. */
export function ViewerReading({ file, order, mayEdit, onReplace }: Props) {
  const utils = trpc.useUtils()
  const showSaved = useSavedOrder()
  const { mutateAsync } = trpc.orders.change.useMutation()
  const { reading } = file
  const sentence = reading && readingSentence(reading, order)
  const change = reading && changeAskedBy(reading, order)
  const { press, isBusy } = usePress(async () => {
    if (!reading || !change) return
    try {
      const { id, version } = order
      await showSaved(await mutateAsync({ id, version, change }))
      toast.success({
        title: 'OS atualizada com sucesso!',
        description: readText(reading.kind, reading.text ?? ''),
      })
    } catch (error) {
      reportFailedSave('Erro ao atualizar OS', error, 'Erro desconhecido')
      // Somebody else may have changed it: the next press goes by what is shown then.
      await utils.orders.one.invalidate({ id: order.id })
    }
  })
  if (!reading || !sentence) return null
  const { verdict } = reading
  const isWrong = verdict === 'mismatch'
  return (
    <section aria-label="Leitura automática" className={`viewer-reading is-${verdict}`}>
      <h3>Leitura automática</h3>
      <p>
        {verdict === 'match' && <TickCircleIcon aria-hidden="true" />}
        {isWrong && <WarningSignIcon aria-hidden="true" />}
        {sentence.replace(/^Leitura automática: /, '')}
      </p>
      {verdict !== 'match' && reading.box && <PhotoCrop file={file} box={reading.box} />}
      {(change || isWrong) && (
        <div className="viewer-reading-actions">
          {change && mayEdit && (
            <Button
              size="small"
              text={isWrong ? 'Corrigir a OS' : 'Preencher na OS'}
              loading={isBusy}
              onClick={press}
            />
          )}
          {isWrong && onReplace && (
            <Button size="small" text="Enviar outra foto" onClick={() => onReplace(file)} />
          )}
        </div>
      )}
    </section>
  )
}

/** Around the text, as a share of its sides. */
const MARGIN = 0.2
/** In px; a plate in two lines would fill the panel. */
const HIGHEST = 120

/** The part of the photo in which the text was read; without a picture that stands as it was read, none. */
function PhotoCrop({ file, box }: { file: EvidenceFile; box: PictureBox }) {
  const { width, height } = file
  const picture = file.converted_url ?? (file.rotation === 0 ? file.thumbnail_url : null)
  if (!picture || !width || !height) return null
  const left = Math.max(0, box.left - box.width * MARGIN)
  const top = Math.max(0, box.top - box.height * MARGIN)
  const wide = Math.min(1 - left, box.width * (1 + 2 * MARGIN))
  const high = Math.min(1 - top, box.height * (1 + 2 * MARGIN))
  const share = (value: number) => `${value * 100}%`
  const ratio = (wide * width) / (high * height)
  return (
    <div className="viewer-crop" style={{ aspectRatio: ratio, maxWidth: `min(100%, ${HIGHEST * ratio}px)` }}>
      <img
        src={picture}
        alt="Parte da foto em que o texto foi lido"
        style={{ width: share(1 / wide), left: share(-left / wide), top: share(-top / high) }}
      />
    </div>
  )
}
