import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { HASH_DISTANCE } from '@garantia/shared/evidence/warnings'
import sharp from 'sharp'
import { inMemory, type Pixels } from '../../media/pixels.ts'
import { fingerprint } from '../../media/quality.ts'
import { type SeededRandom, seededRandom } from '../random.ts'
import { instrumentCluster } from './instrument-cluster.ts'
import { newPart, part } from './parts.ts'
import { behindGlass, engraving, front, rearPlate } from './plates.ts'
import { scanner } from './scanner.ts'
import { glow, type Scene, type Subject } from './scene.ts'
import { screenshot } from './screenshot.ts'

const WIDTH = 1280
const HEIGHT = 960

const SCENES: Record<EvidenceCategory, Scene> = {
  defeito: part({ isWorn: true }),
  tela_aparelho: scanner(false),
  teste: scanner(true),
  pecas: newPart,
  solucionado: part({ isWorn: false }),
  pos_rodagem: instrumentCluster(true),
  chassi: engraving,
  placa: rearPlate,
  odometro: instrumentCluster(false),
  inspecao: front,
  reparo: part({ isWorn: false, zoom: 1.25 }),
  causa: part({ isWorn: true, zoom: 1.5 }),
  chassi_no_vidro: behindGlass,
  diagonal_dt: front,
  detalhe_problema_nitido: part({ isWorn: true, zoom: 1.9 }),
  pos_solucionado: part({ isWorn: false, zoom: 0.9 }),
  prints_telas: screenshot,
}

export interface PhotoSpec {
  kind: 'photo'
  category: EvidenceCategory
  subject: Subject
  seed: string
  /** As EXIF stores it: 2026:10:02 14:05:09. */
  taken_at: string
  /** Factor of the usual 1280 × 960 px. */
  scale: number
}

/** In bits; far enough that converted copies of a picture also stay beyond the distance of V13. */
const LEAST_DISTANCE = HASH_DISTANCE + 4
const MOST_TAKES = 6
/** Perceptual hashes of the pictures drawn so far, with the vehicle's chassis number. */
const album: { chassis: string; bits: bigint }[] = []

/** Whether the checks would report it as a picture of another vehicle (V13). */
const resembles = (chassis: string, bits: bigint) =>
  album.some((one) => one.chassis !== chassis && distance(one.bits, bits) < LEAST_DISTANCE)
const distance = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll('0', '').length

/**
 * Draws one «photo» that resembles none of another vehicle; one that does is drawn again with another seed.
 */
export async function drawPhoto(spec: PhotoSpec) {
  const { chassis } = spec.subject
  for (let take = 1; ; take++) {
    const picture = await renderScene(take === 1 ? spec : { ...spec, seed: `${spec.seed} ${take}` })
    const digits = await fingerprint(picture)
    const bits = digits === null ? null : BigInt(`0b${digits}`)
    if (bits !== null && take < MOST_TAKES && resembles(chassis, bits)) continue
    if (bits !== null) album.push({ chassis, bits })
    return encodePhoto(picture, spec.taken_at)
  }
}

/** The scene with a camera's tilt and shift, and with workshop light. */
async function renderScene({ category, subject, seed, scale }: PhotoSpec): Promise<Pixels> {
  const random = seededRandom(seed)
  const isScreen = category === 'prints_telas'
  const scene = SCENES[category](subject, random)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * scale}" height="${HEIGHT * scale}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    ${isScreen ? scene : `<g transform="${handheldTransform(random)}">${scene}</g>${light(random)}`}</svg>`
  const image = sharp(Buffer.from(svg), { unlimited: true }).removeAlpha()
  const seen = isScreen
    ? image
    : image.composite([{ input: await grain(), raw: GRAIN, tile: true, blend: 'overlay' }])
  return inMemory(seen)
}

const encodePhoto = ({ data, raw }: Pixels, taken_at: string) =>
  sharp(data, { raw })
    .withExif({
      IFD0: { Make: 'Garantia', Model: 'Demonstração', Software: 'Imagem desenhada: nenhum veículo real' },
      IFD2: { DateTimeOriginal: taken_at },
    })
    .jpeg({ quality: 84, mozjpeg: false })
    .toBuffer()

/** A slight random tilt, zoom and shift, as of a hand-held phone. */
const handheldTransform = (random: SeededRandom) =>
  `translate(640 480) rotate(${random.between(-8, 8).toFixed(2)}) scale(${random.between(0.88, 1.12).toFixed(3)}) translate(${(-640 + random.between(-70, 70)).toFixed(0)} ${(-480 + random.between(-60, 60)).toFixed(0)})`

/** A lamp at a random place, shadows, and a vignette. */
function light(random: SeededRandom) {
  const place = () =>
    `cx="${random.next().toFixed(2)}" cy="${random.next().toFixed(2)}" r="${random.between(0.35, 0.75).toFixed(2)}"`
  const warmth = random.oneOf(['#fff3d6', '#ffffff', '#dcecff'])
  const cast = () =>
    `<ellipse transform="translate(${random.whole(0, WIDTH)} ${random.whole(0, HEIGHT)}) rotate(${random.whole(-80, 80)})" rx="${random.whole(240, 620)}" ry="${random.whole(110, 300)}" fill="url(#cast)"/>`
  return `<defs>${glow(
    'lamp',
    [
      [0, warmth, random.between(0.16, 0.34)],
      [1, warmth, 0],
    ],
    place(),
  )}
    ${glow(
      'shade',
      [
        [0, '#000', random.between(0.18, 0.42)],
        [1, '#000', 0],
      ],
      place(),
    )}
    ${glow('cast', [
      [0, '#000', random.between(0.2, 0.4)],
      [1, '#000', 0],
    ])}
    ${glow(
      'lens',
      [
        [0.55, '#000', 0],
        [1, '#000', 0.5],
      ],
      'cx=".5" cy=".5" r=".75"',
    )}</defs>
    ${cast()}${cast()}${['lamp', 'shade', 'lens'].map((id) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${id})"/>`).join('')}`
}

const GRAIN = { width: 256, height: 256, channels: 4 as const }
let grained: Buffer | undefined
/** Sensor noise: one tile, used for every picture. */
async function grain() {
  if (grained) return grained
  const random = seededRandom('grain')
  grained = Buffer.alloc(GRAIN.width * GRAIN.height * 4)
  for (let at = 0; at < grained.length; at += 4) {
    grained.fill(Math.round(random.between(0, 255)), at, at + 3)
    grained[at + 3] = 30
  }
  return grained
}
