import { lazy, Suspense, useRef } from 'react'
import { FileButton } from '../../../ui/form/file-button.tsx'
import { fileIdentity } from '../../evidence/upload/upload-item.ts'
import type { FieldName } from './order-field.tsx'
import type { OrderFormState } from './use-order-form.ts'
import './new-order-photos.css'

const PhotoReadings = lazy(async () => ({ default: (await import('./photo-readings.tsx')).PhotoReadings }))

interface Props {
  state: OrderFormState
  focusFirst: (names: readonly FieldName[]) => void
}

/** Photos of the vehicle, whose texts are offered for the fields, and which go to the order once it exists. */
export function NewOrderPhotos({ state, focusFirst }: Props) {
  const { files, setFiles } = state
  const add = (...chosen: File[]) => {
    const known = new Set(files.map(fileIdentity))
    setFiles([...files, ...chosen.filter((file) => !known.has(fileIdentity(file)))])
  }
  const section = useRef<HTMLElement>(null)
  const remove = (file: File) => {
    setFiles(files.filter((other) => other !== file))
    section.current?.querySelector('button')?.focus()
  }
  return (
    <section ref={section} className="new-order-photos" aria-label="Fotos do veículo">
      <FileButton
        label="Fotos do veículo"
        text={files.length > 0 ? 'Mais fotos' : 'Começar pelas fotos'}
        accept="image/*"
        isMultiple
        onPick={add}
      />
      {files.length === 0 ? (
        <p className="muted">Placa, chassi e quilometragem são lidos nelas, e elas vão para a OS.</p>
      ) : (
        <Suspense>
          <PhotoReadings form={state.form} files={files} onRemove={remove} focusFirst={focusFirst} />
        </Suspense>
      )}
    </section>
  )
}
