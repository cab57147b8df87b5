import { z } from 'zod'
import { countWords } from '../evidence/marks.ts'
import { dateTime, integer } from '../format.ts'

/**
 * What a manifest says of a file's way: how it was captured and came, and what was done to make its copy. Manifests of
 * former releases say less, and what is not understood is left out: the signature covers it all the same.
 */
export const custody = z.object({
  captured_at: z.string().nullish().catch(undefined),
  captured_from: z.string().nullish().catch(undefined),
  /** The model that the device wrote into the file. */
  camera: z.string().nullish().catch(undefined),
  capture_way: z.string().nullish().catch(undefined),
  /** Of a photo of the app's own camera. */
  nonce_issued_at: z.string().nullish().catch(undefined),
  uploaded_at: z.string().nullish().catch(undefined),
  uploaded_by: z.string().nullish().catch(undefined),
  guest_link: z.string().nullish().catch(undefined),
  steps: z
    .array(z.looseObject({ step: z.string() }))
    .optional()
    .catch(undefined),
  unchanged: z.array(z.string()).optional().catch(undefined),
})
export type Custody = z.output<typeof custody>
type Step = NonNullable<Custody['steps']>[number]

const SOURCE: Record<string, string> = {
  exif_date_time_original: 'pela hora que o aparelho gravou na foto (EXIF)',
  container_creation_time: 'pela hora que o aparelho gravou no vídeo',
  app_clock: 'pelo relógio do aparelho, segundo a câmera do app',
}
const WAY: Record<string, string> = {
  uploaded_file:
    'enviado como arquivo: nada além do próprio arquivo diz com que aparelho, e quando, foi feito',
}
const APP_CAMERA =
  'enviado como foto da câmera do app, com um código de uso único; isso não prova o que estava diante da câmera'
const UNCHANGED: Record<string, string> = {
  orientation: 'a orientação',
  dimensions: 'as dimensões',
  format: 'o formato',
}

/** The way of a file in words, each with its label. */
export function custodyLines(file: Custody): [string, string][] {
  const { captured_at, captured_from, camera, capture_way, uploaded_at } = file
  const source = SOURCE[captured_from ?? '']
  const way = capture_way === 'app_camera' ? appCameraWords(file) : WAY[capture_way ?? '']
  const lines: [string, string | undefined][] = [
    ['Captura', momentOf(captured_at, source && `, ${source}`) ?? absent(captured_at, 'sem hora no arquivo')],
    [
      'Câmera',
      camera ? `${camera}, segundo o próprio arquivo` : absent(camera, 'não identificada no arquivo'),
    ],
    ['Forma', way],
    ['Recebimento', momentOf(uploaded_at, senderOf(file))],
    ['Cópia', copyOf(file)],
    ['Não mudou', unchangedOf(file)],
  ]
  return lines.filter((line): line is [string, string] => line[1] !== undefined)
}

function appCameraWords({ nonce_issued_at }: Custody) {
  const issued = momentOf(nonce_issued_at, '')
  return issued ? APP_CAMERA.replace('único;', `único, que o servidor emitiu em ${issued};`) : APP_CAMERA
}

function senderOf({ uploaded_by, guest_link }: Custody) {
  if (!guest_link) return uploaded_by ? `, por ${uploaded_by}` : ''
  return `, pelo link para «${guest_link}»${uploaded_by ? `, criado por ${uploaded_by}` : ''}`
}

/** Null is known to be absent; what is undefined a manifest of a former release did not say. */
const absent = (value: unknown, words: string) => (value === null ? words : undefined)

function momentOf(moment: string | null | undefined, more: string | undefined) {
  if (!moment || Number.isNaN(Date.parse(moment))) return undefined
  return `${dateTime(moment)}${more ?? ''}`
}

function copyOf({ steps, unchanged }: Custody) {
  if (unchanged?.includes('bytes')) return 'é o próprio original, byte por byte'
  if (!steps || steps.length === 0) return undefined
  return steps.map(stepWords).join('; ')
}
function unchangedOf({ unchanged }: Custody) {
  const parts = (unchanged ?? []).flatMap((one) => UNCHANGED[one] ?? [])
  const last = parts.pop()
  return last && (parts.length === 0 ? last : `${parts.join(', ')} e ${last}`)
}

const size = (value: unknown) =>
  Array.isArray(value) && value.every((side) => typeof side === 'number')
    ? value.map(integer).join(' × ')
    : 'tamanho desconhecido'
const format = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : 'formato desconhecido')

const marksOfStep = z.record(z.string(), z.number())
const markWords = (marks: unknown) => {
  const { data } = marksOfStep.safeParse(marks)
  return data ? countWords(data) : 'marcas desconhecidas'
}

/** One step in words; the name of one that this release does not know. */
function stepWords(step: Step): string {
  if (step.step === 'upright') return 'posta em pé, como o aparelho a marcou (EXIF)'
  if (step.step === 'rotated')
    return `girada por uma pessoa, ${String(step.degrees_clockwise)}° no sentido horário`
  if (step.step === 'marked') return `marcada por uma pessoa: ${markWords(step.marks)}`
  if (step.step === 'resized') return `redimensionada de ${size(step.from)} para ${size(step.to)} pixels`
  if (step.step === 'location_removed') return 'sem a localização (GPS) que o original tem'
  if (step.step !== 'rewritten') return step.step
  if (step.from === step.to) return `gravada de novo em ${format(step.to)}`
  return `convertida de ${format(step.from)} para ${format(step.to)}`
}
