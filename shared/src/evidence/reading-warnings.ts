import { isMasked } from '../br/mask.ts'
import { formatPlate, maskChassis } from '../br/vehicle.ts'
import { integer } from '../format.ts'
import { type Check, checkOf, idsOf } from './checks.ts'
import type { Reading, ReadVehicle } from './reading.ts'

export interface OrderBesidePhoto extends ReadVehicle {
  vehicle_mileage: number | null
}
interface ReadFile {
  id: number
  reading: Reading
}
/** A text that was read in a photo and in one of an order of another vehicle; `text` as `searchedTexts` has it. */
export interface Repeat {
  evidence_id: number
  text: string
  os_number: string
}

/** The order's field that a read text is for. */
export const READ_FIELD = {
  plate: 'vehicle_plate',
  vin: 'vehicle_chassis',
  odometer: 'vehicle_mileage',
} as const
type FieldKind = keyof typeof READ_FIELD
export type FieldOfText = (typeof READ_FIELD)[FieldKind]
const isOfField = (kind: Reading['kind']): kind is FieldKind => kind in READ_FIELD
const NOUN = { plate: 'a placa', vin: 'o chassi', odometer: 'a quilometragem' } as const

/** A read text as pages show it: of a chassis number only the end. */
export function readText(kind: Reading['kind'], text: string) {
  if (kind === 'plate') return formatPlate(text)
  if (kind === 'vin') return maskChassis(text).replace(/^•+/, '…')
  return kind === 'odometer' ? `${integer(Number(text))} km` : text
}

/** The sentence about a photo beside its order; null where there is nothing to say. */
export function readingSentence({ kind, verdict, text }: Reading, order: OrderBesidePhoto): string | null {
  if (text === null) return null
  const shown = readText(kind, text)
  if (verdict === 'match') return `Leitura automática: ${shown}. Confere com a OS.`
  if (verdict === 'mismatch') {
    const expected = kind === 'vin' ? order.vehicle_chassis : order.vehicle_plate
    const said = readText(kind, expected ?? '')
    return said === shown
      ? `A foto parece mostrar outro chassi; a OS também termina em ${said}. Verifique.`
      : `A foto parece mostrar ${shown}; a OS diz ${said}. Verifique.`
  }
  if (!isOfField(kind)) return `Leitura automática: ${shown}.`
  return order[READ_FIELD[kind]] === null
    ? `A foto parece mostrar ${NOUN[kind]} ${shown}, que falta na OS.`
    : `Leitura automática: ${shown}.`
}

/** The change of the order that a photo asks for: its field as the photo shows it; null where it asks for none. */
export function changeAskedBy({ kind, verdict, text }: Reading, order: OrderBesidePhoto) {
  if (text === null || isMasked(text) || !isOfField(kind)) return null
  const field = READ_FIELD[kind]
  if (verdict !== 'mismatch' && !(verdict === 'suggestion' && order[field] === null)) return null
  return { [field]: kind === 'odometer' ? Number(text) : text }
}

/**
 * The checks V18 to V20: what photos show against what the order says, texts for its empty fields, and texts that
 * photos of other orders show too. They never block; without any reading there are none, since nothing was checked.
 */
export function warnAboutReadings(
  order: OrderBesidePhoto,
  files: readonly ReadFile[],
  repeats: readonly Repeat[],
): Check[] {
  if (files.length === 0) return []
  const bySentence = Map.groupBy(files, ({ reading }) => readingSentence(reading, order))
  const checks: Check[] = []
  for (const [sentence, those] of bySentence) {
    const [{ reading } = {}] = those
    if (!reading || sentence === null) continue
    const { kind, verdict } = reading
    if (verdict === 'match' || verdict === 'mismatch')
      checks.push(
        checkOf('warning', 'V18', verdict === 'match', {
          message: sentence,
          holds: sentence,
          failing_files: those,
          fix: { kind: 'review', evidence_ids: idsOf(those) },
        }),
      )
    else if (isOfField(kind) && order[READ_FIELD[kind]] === null)
      checks.push(
        checkOf('warning', 'V19', false, {
          message: sentence,
          failing_files: those,
          fix: { kind: 'edit', fields: [READ_FIELD[kind]] },
        }),
      )
  }
  return [...checks, ...repeatWarnings(repeats)]
}

/** Most order numbers named in one message. */
const NAMED_ORDERS = 3
const REPEATED = { plate: 'A placa', vin: 'O chassi', code: 'O código' } as const

function repeatWarnings(repeats: readonly Repeat[]) {
  return [...Map.groupBy(repeats, ({ text }) => text)].map(([text, those]) => {
    const [kind, ...rest] = text.split(':') as [keyof typeof REPEATED, ...string[]]
    const orders = [...new Set(those.map(({ os_number }) => os_number))].sort()
    const more = orders.length - NAMED_ORDERS
    const named = orders.slice(0, NAMED_ORDERS).join(', ') + (more > 0 ? ` e em mais ${more}` : '')
    const failing_files = [...new Set(those.map(({ evidence_id }) => evidence_id))].map((id) => ({ id }))
    return checkOf('warning', 'V20', false, {
      message: `${REPEATED[kind]} ${readText(kind, rest.join(':'))} também aparece em foto da OS ${named}, de outro veículo`,
      failing_files,
      fix: { kind: 'review', evidence_ids: idsOf(failing_files) },
    })
  })
}
