import { Button } from '@blueprintjs/core'
import { CrossIcon, RepeatIcon } from '@blueprintjs/icons'
import { type FieldOfText, READ_FIELD, readText } from '@garantia/shared/evidence/reading-warnings'
import { counted } from '@garantia/shared/format'
import type { VehiclePhotoReading } from '@garantia/shared/orders/vehicle-photo'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { messageOf, statusOf } from '../../../lib/messages.ts'
import { ChosenFile } from '../../evidence/upload/chosen-file.tsx'
import type { FieldName, OrderForm } from './order-field.tsx'
import { fieldsOf } from './order-form-schema.ts'
import { readingKey } from './photo-reading.ts'
import { NotRead, readPhoto } from './read-photo.ts'

interface Props {
  form: OrderForm
  files: readonly File[]
  onRemove: (file: File) => void
  focusFirst: (names: readonly FieldName[]) => void
}

/** The chosen photos with what is read in them, and the texts that the form does not have yet. */
export function PhotoReadings({ form, files, onRemove, focusFirst }: Props) {
  const readings = useQueries({
    queries: files.map((file) => ({
      queryKey: readingKey(file),
      queryFn: ({ signal }: { signal: AbortSignal }) => readPhoto(file, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    })),
  })
  const offers = useOffers(form, readings)
  const use = (used: readonly Offer[]) => {
    for (const { name, text } of used) form.setValue(name, text, { shouldDirty: true, shouldValidate: true })
    focusFirst(used.map(({ name }) => name))
  }
  const sure = offers.filter(({ isOnly }) => isOnly)
  return (
    <>
      <p className="muted" role="status">
        {summaryOf(readings)}
        <span className="visually-hidden">
          {offers.map(({ name, text }) => ` Lido: ${NOUN[name]} ${text}.`).join('')}
        </span>
      </p>
      {offers.length > 0 && (
        <div className="photo-offers">
          {sure.length > 1 && <Button size="small" text="Usar tudo" onClick={() => use(sure)} />}
          {offers.map((offer) => (
            <Button
              key={`${offer.name} ${offer.text}`}
              size="small"
              text={`Usar ${NOUN[offer.name]} ${offer.text}`}
              onClick={() => use([offer])}
            />
          ))}
        </div>
      )}
      <ul className="panel photo-list" aria-label="Fotos escolhidas">
        {files.map((file, index) => (
          <li key={readingKey(file).join()} className="upload-row">
            <ChosenFile file={file} />
            <Outcome reading={readings[index]} name={file.name} />
            <Button
              variant="minimal"
              icon={<CrossIcon />}
              aria-label={`Remover ${file.name} da lista`}
              title="Remover da lista"
              onClick={() => onRemove(file)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

type PhotoReading = Pick<UseQueryResult<VehiclePhotoReading>, 'data' | 'error' | 'isFetching' | 'refetch'>

/** What was read in one photo, or why nothing was. */
function Outcome({ reading, name }: { reading: PhotoReading | undefined; name: string }) {
  if (reading?.data)
    return (
      <span className="photo-outcome numeric">
        {reading.data.texts.map(({ kind, text }) => readText(kind, text)).join(' · ') || (
          <span className="muted">Nada lido</span>
        )}
      </span>
    )
  const { error, isFetching = true } = reading ?? {}
  return (
    <span className="photo-outcome">
      {error && !isFetching ? (
        error instanceof NotRead ? (
          error.message
        ) : (
          messageOf(error)
        )
      ) : (
        <span className="muted">Lendo…</span>
      )}
      {error && statusOf(error) !== NOT_HERE && (
        <Button
          variant="minimal"
          size="small"
          icon={<RepeatIcon />}
          aria-label={`Ler ${name} de novo`}
          title="Ler de novo"
          loading={isFetching}
          onClick={() => void reading?.refetch()}
        />
      )}
    </span>
  )
}
/** Where the house does not read photos. */
const NOT_HERE = 409

function summaryOf(readings: readonly PhotoReading[]) {
  const chosen = counted(readings.length, 'foto escolhida', 'fotos escolhidas')
  const left = readings.filter(({ isFetching }) => isFetching).length
  const failed = readings.filter(({ error, isFetching }) => error && !isFetching).length
  if (left > 0) return `${chosen}. Lendo ${left}…`
  const whole = `${chosen}: vão para a OS quando ela for criada.`
  return failed > 0 ? `${whole} ${counted(failed, 'não foi lida', 'não foram lidas')}.` : whole
}

interface Offer {
  name: FieldOfText
  /** As it stands in the field. */
  text: string
  /** Whether the field is empty, and no other text was read for it. */
  isOnly: boolean
}
const NOUN: Record<FieldOfText, string> = {
  vehicle_plate: 'placa',
  vehicle_chassis: 'chassi',
  vehicle_mileage: 'quilometragem',
}

/** The texts read that the form has not, each once. */
function useOffers(form: OrderForm, readings: readonly PhotoReading[]): Offer[] {
  const [vehicle_plate, vehicle_chassis, vehicle_mileage] = useWatch({
    control: form.control,
    name: ['vehicle_plate', 'vehicle_chassis', 'vehicle_mileage'],
  })
  const now = { vehicle_plate, vehicle_chassis, vehicle_mileage }
  const read = new Map<string, { name: FieldOfText; text: string }>()
  for (const { kind, text } of readings.flatMap(({ data }) => data?.texts ?? [])) {
    const name = READ_FIELD[kind]
    const shown = fieldsOf({ [name]: kind === 'odometer' ? Number(text) : text })[name]
    read.set(`${name} ${shown}`, { name, text: shown })
  }
  const all = [...read.values()]
  return all
    .filter(({ name, text }) => text !== now[name])
    .map((one) => ({
      ...one,
      isOnly: now[one.name] === '' && all.filter(({ name }) => name === one.name).length === 1,
    }))
}
