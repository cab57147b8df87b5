import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import sharp from 'sharp'
import { type Chance, chance } from '../random.ts'
import { cluster } from './cluster.ts'
import { newPart, part } from './parts.ts'
import { behindGlass, engraving, front, rearPlate } from './plates.ts'
import { scanner, screenshot } from './scanner.ts'
import { glow, type Scene, type Subject } from './scene.ts'

const WIDTH = 1280
const HEIGHT = 960

const SCENES: Record<EvidenceCategory, Scene> = {
  defeito: part({ isWorn: true }),
  tela_aparelho: scanner(false),
  teste: scanner(true),
  pecas: newPart,
  solucionado: part({ isWorn: false }),
  pos_rodagem: cluster(true),
  chassi: engraving,
  placa: rearPlate,
  odometro: cluster(false),
  inspecao: front,
  reparo: part({ isWorn: false, zoom: 1.25 }),
  causa: part({ isWorn: true, zoom: 1.5 }),
  chassi_no_vidro: behindGlass,
  diagonal_dt: front,
  detalhe_problema_nitido: part({ isWorn: true, zoom: 1.9 }),
  pos_solucionado: part({ isWorn: false, zoom: 0.9 }),
  prints_telas: screenshot,
}

export interface PhotoOrder {
  kind: 'photo'
  category: EvidenceCategory
  subject: Subject
  seed: string
  /** As a camera notes it. */
  taken_at: string
  /** Times the usual 1280 × 960. */
  scale: number
}

/** Draws one «photo»: the scene as seen by a hand-held camera, in the light of a workshop. */
export async function drawPhoto({ category, subject, seed, taken_at, scale }: PhotoOrder) {
  const luck = chance(seed)
  const isScreen = category === 'prints_telas'
  const scene = SCENES[category](subject, luck)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * scale}" height="${HEIGHT * scale}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    ${isScreen ? scene : `<g transform="${held(luck)}">${scene}</g>${light(luck)}`}</svg>`
  const image = sharp(Buffer.from(svg), { unlimited: true }).removeAlpha()
  const seen = isScreen
    ? image
    : image.composite([{ input: await grain(), raw: GRAIN, tile: true, blend: 'overlay' }])
  return seen
    .withExif({
      IFD0: { Make: 'Garantia', Model: 'Demonstração', Software: 'Imagem desenhada: nenhum veículo real' },
      IFD2: { DateTimeOriginal: taken_at },
    })
    .jpeg({ quality: 84, mozjpeg: false })
    .toBuffer()
}

/** Nobody holds a phone straight. */
const held = (luck: Chance) =>
  `translate(640 480) rotate(${luck.between(-5, 5).toFixed(2)}) scale(${luck.between(0.92, 1.06).toFixed(3)}) translate(${(-640 + luck.between(-40, 40)).toFixed(0)} ${(-480 + luck.between(-34, 34)).toFixed(0)})`

/** A lamp somewhere, a shadow somewhere else, and a lens that is darker at its edge. */
function light(luck: Chance) {
  const place = () =>
    `cx="${luck.next().toFixed(2)}" cy="${luck.next().toFixed(2)}" r="${luck.between(0.35, 0.75).toFixed(2)}"`
  const warmth = luck.oneOf(['#fff3d6', '#ffffff', '#dcecff'])
  return `<defs>${glow(
    'lamp',
    [
      [0, warmth, luck.between(0.16, 0.34)],
      [1, warmth, 0],
    ],
    place(),
  )}
    ${glow(
      'shade',
      [
        [0, '#000', luck.between(0.18, 0.42)],
        [1, '#000', 0],
      ],
      place(),
    )}
    ${glow(
      'lens',
      [
        [0.55, '#000', 0],
        [1, '#000', 0.5],
      ],
      'cx=".5" cy=".5" r=".75"',
    )}</defs>
    ${['lamp', 'shade', 'lens'].map((id) => `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#${id})"/>`).join('')}`
}

const GRAIN = { width: 256, height: 256, channels: 4 as const }
let grained: Buffer | undefined
/** The noise of a small sensor, one tile for all. */
async function grain() {
  if (grained) return grained
  const luck = chance('grain')
  grained = Buffer.alloc(GRAIN.width * GRAIN.height * 4)
  for (let at = 0; at < grained.length; at += 4) {
    grained.fill(Math.round(luck.between(0, 255)), at, at + 3)
    grained[at + 3] = 30
  }
  return grained
}
