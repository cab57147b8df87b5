import { Button } from '@blueprintjs/core'
import { CameraIcon, CircleIcon, TickCircleIcon, UploadIcon } from '@blueprintjs/icons'
import { EVIDENCE_CATEGORY } from '@garantia/shared/evidence/category'
import { type CategoryProgress, isFilled } from '@garantia/shared/evidence/category-progress'
import { useState } from 'react'

interface Props {
  slot: CategoryProgress
  picture: string | null
  /** Files of it that are still being sent, or wait for the network. */
  waiting: number
  /** Null when the user may not upload. */
  onUpload: (() => void) | null
  onPhotograph: () => void
}

/** One category required by the brand: a drop target for files, with buttons to pick or photograph them. */
export function SlotRow({ slot, picture, waiting, onUpload, onPhotograph }: Props) {
  const [isOver, setIsOver] = useState(false)
  const { category, have, min } = slot
  const label = EVIDENCE_CATEGORY[category]
  const isDone = isFilled(slot)
  const state = [isDone ? 'is-done' : 'is-missing', isOver && 'is-over'].filter(Boolean).join(' ')
  return (
    <li
      className={`slot ${state}`}
      {...(onUpload && { 'data-slot': category })}
      onDragEnter={() => setIsOver(true)}
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => setIsOver(false)}
    >
      <span className="slot-picture" aria-hidden="true">
        {picture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        ) : isDone ? (
          <TickCircleIcon />
        ) : (
          <CircleIcon />
        )}
      </span>
      <span className="slot-label">
        {label}
        <span className="numeric slot-count">
          {have} de {min}
          {waiting > 0 && ` · ${waiting} em envio`}
          <span className="visually-hidden">{isDone ? ', completo' : ', falta'}</span>
        </span>
      </span>
      {onUpload && (
        <>
          <Button
            className="only-touch"
            variant="minimal"
            icon={<CameraIcon />}
            aria-label={`Fotografar ${label}`}
            onClick={onPhotograph}
          />
          <Button
            variant="minimal"
            icon={<UploadIcon />}
            aria-label={`Adicionar ${label}`}
            title="Escolher arquivos, ou soltá-los aqui"
            onClick={onUpload}
          />
        </>
      )}
    </li>
  )
}
