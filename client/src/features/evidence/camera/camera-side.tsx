import { Button } from '@blueprintjs/core'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { isFilled } from '@garantia/shared/evidence/category-progress'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { CameraSlot } from './camera-slots.ts'
import { CameraTaken } from './camera-taken.tsx'
import type { TakenPhoto } from './taken-photos.ts'

interface Props {
  slots: readonly CameraSlot[]
  category: EvidenceCategory
  /** Null while a question waits. */
  onCategory: ((category: EvidenceCategory) => void) | null
  isComplete: boolean
  onClose: () => void
  taken: readonly TakenPhoto[]
  files: readonly EvidenceFile[]
  order: OrderView
  onTakeAgain: (photo: TakenPhoto) => void
}

/** Beside the picture: the brand's categories, and what was taken. */
export const CameraSide = ({ slots, category, onCategory, isComplete, onClose, ...photos }: Props) => (
  <div className="camera-side">
    <ul className="camera-slots" aria-label="Categorias da marca">
      {slots.map((slot) => (
        <li key={slot.category}>
          <Button
            size="small"
            variant="outlined"
            active={slot.category === category}
            className={isFilled(slot) ? 'is-done' : undefined}
            aria-pressed={slot.category === category}
            aria-disabled={onCategory === null || undefined}
            onClick={() => onCategory?.(slot.category)}
          >
            {slot.label}{' '}
            <span className="numeric">
              {slot.have} de {slot.min}
            </span>
          </Button>
        </li>
      ))}
    </ul>
    {isComplete && (
      <div className="camera-done">
        <p>Tudo o que a marca exige está fotografado.</p>
        <Button intent="primary" text="Ver evidências" onClick={onClose} />
      </div>
    )}
    <CameraTaken {...photos} />
  </div>
)
