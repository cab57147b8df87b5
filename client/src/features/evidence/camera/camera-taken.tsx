import { Button } from '@blueprintjs/core'
import { RepeatIcon } from '@blueprintjs/icons'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { readingSentence, readText } from '@garantia/shared/evidence/reading-warnings'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { TakenPhoto } from './taken-photos.ts'

interface Props {
  taken: readonly TakenPhoto[]
  files: readonly EvidenceFile[]
  order: OrderView
  onTakeAgain: (photo: TakenPhoto) => void
}

/** What was taken here, the newest first: how far it is, and what was read in it. */
export function CameraTaken({ taken, files, order, onTakeAgain }: Props) {
  const shown = taken.filter(({ is_unwanted }) => !is_unwanted)
  if (shown.length === 0) return null
  return (
    <ul className="camera-taken" aria-label="Fotos desta vez">
      {shown.toReversed().map((photo) => {
        const label = EVIDENCE_CATEGORY[photo.category]
        const alike = shown.filter(({ category }) => category === photo.category)
        const name = alike.length > 1 ? `${label}, ${alike.indexOf(photo) + 1}ª foto` : label
        const file = files.find(({ id }) => id === photo.evidence_id)
        const { text, tone } = stateOf(photo, file, order)
        return (
          <li key={photo.key}>
            <img src={photo.url} alt="" />
            <span className="camera-taken-text">
              <strong className="clip">{label}</strong>
              <span className={`camera-taken-state is-${tone}`} role="status">
                {text}
              </span>
            </span>
            <Button
              variant="minimal"
              icon={<RepeatIcon />}
              aria-label={`Refazer ${name}`}
              title="Exclui esta e fotografa de novo"
              onClick={() => onTakeAgain(photo)}
            />
          </li>
        )
      })}
    </ul>
  )
}

interface State {
  text: string
  tone: 'good' | 'bad' | 'plain'
}

function stateOf(photo: TakenPhoto, file: EvidenceFile | undefined, order: OrderView): State {
  const reading = file?.reading
  const sentence = reading ? readingSentence(reading, order) : null
  if (reading?.verdict === 'match' && reading.text !== null)
    return { text: `${readText(reading.kind, reading.text)} confere`, tone: 'good' }
  if (reading && sentence)
    return {
      text: sentence.replace(/^Leitura automática: /, ''),
      tone: reading.verdict === 'mismatch' ? 'bad' : 'plain',
    }
  const { state, reason } = photo
  if (state === 'sent') return { text: 'Enviada', tone: 'plain' }
  if (state === 'refused' || state === 'failed') return { text: reason ?? 'Não enviada', tone: 'bad' }
  if (state === 'already_there') return { text: 'A OS já tem este arquivo', tone: 'bad' }
  return { text: state === 'offline' ? 'Aguarda conexão' : 'Enviando…', tone: 'plain' }
}
