import type { SeededRandom } from '../random.ts'
import { textOutline } from './glyphs.ts'
import { background, glow, gradient, type Scene, strokes } from './scene.ts'

/** Characters stamped into sheet metal: a dark edge, a light edge and a darker ground. */
function stamped(text: string, x: number, y: number, size: number, spacing = 0.12) {
  const layer = (dx: number, dy: number, fill: string, opacity: number) =>
    textOutline(text, { x: x + dx, y: y + dy, size, weight: 600, fill, opacity, align: 'middle', spacing })
  return layer(-3, -3, '#000', 0.55) + layer(3, 3, '#fff', 0.5) + layer(0, 0, '#2b2f33', 0.55)
}

const bolt = (x: number, y: number, r: number) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="url(#steel)" stroke="#20252a" stroke-width="3"/>
   <path d="M${x - r * 0.5} ${y}h${r}M${x} ${y - r * 0.5}v${r}" stroke="#2b3137" stroke-width="${r * 0.22}"/>`

const STEEL = gradient(
  'steel',
  [
    [0, '#d5dade'],
    [0.45, '#8b939b'],
    [0.55, '#6c747c'],
    [1, '#b9c0c6'],
  ],
  'x1="0" y1="0" x2="1" y2="1"',
)

/** The chassis number stamped into the body. */
export const engraving: Scene = ({ chassis, paint }, random) => {
  const y = random.whole(430, 540)
  return `<defs>${STEEL}
    ${gradient(
      'sheet',
      [
        [0, '#ffffff'],
        [0.35, '#9aa1a8'],
        [0.6, '#5b6168'],
        [1, '#1d2126'],
      ],
      `x1="${random.next().toFixed(2)}" y1="0" x2="${random.next().toFixed(2)}" y2="1"`,
    )}
    ${glow('shine', [
      [0, '#fff', 0.5],
      [1, '#fff', 0],
    ])}</defs>
  ${background(paint)}
  <rect x="-500" y="-500" width="2280" height="1960" fill="url(#sheet)" fill-opacity=".62"/>
  <path d="M-400 ${y - 190}Q640 ${y - 240} 1700 ${y - 180}V${y + 150}Q640 ${y + 120} -400 ${y + 170}z" fill="#fff" fill-opacity=".10" stroke="#000" stroke-opacity=".35" stroke-width="5"/>
  ${strokes(random, { count: 160, colour: '#fff', opacity: 0.16, length: 160, slant: 0.04 })}
  ${strokes(random, { count: 120, colour: '#000', opacity: 0.22, length: 70, slant: -0.3 })}
  <ellipse cx="${random.whole(200, 1080)}" cy="${y - 150}" rx="420" ry="120" fill="url(#shine)"/>
  ${stamped(`✱ ${chassis} ✱`.replaceAll('✱', '*'), 640, y + 20, 102)}
  ${bolt(random.whole(60, 200), y + 300, 52)}${bolt(random.whole(1080, 1240), y + 290, 52)}
  ${bolt(random.whole(420, 860), y - 330, 40)}
  ${strokes(random, { count: 260, colour: '#d8c7a8', opacity: 0.35, length: 7, width: 4 })}`
}

/** Reflections in a windscreen: clouds and buildings. */
function reflections(random: SeededRandom) {
  const cloud = () =>
    `<ellipse cx="${random.whole(-200, 1480)}" cy="${random.whole(-200, 620)}" rx="${random.whole(160, 420)}" ry="${random.whole(60, 190)}" fill="url(#cloud)"/>`
  const house = () =>
    `<rect x="${random.whole(-200, 1300)}" y="${random.whole(-300, 300)}" width="${random.whole(90, 380)}" height="${random.whole(200, 700)}" fill="${random.oneOf(['#0d1218', '#f3e9d8', '#2e3d4b'])}" fill-opacity="${random.between(0.2, 0.5).toFixed(2)}"/>`
  return Array.from({ length: 7 }, () => (random.happens(0.55) ? cloud() : house())).join('')
}

/** The chassis number behind the windscreen. */
export const behindGlass: Scene = ({ chassis }, random) => {
  const [x, y] = [random.whole(120, 400), random.whole(520, 720)]
  const ramp = random.whole(-90, 90)
  return `<defs>
    ${gradient(
      'sky',
      [
        [0, '#b9d8f2'],
        [0.5, '#6f9cc4'],
        [1, '#1d2c3b'],
      ],
      `x1="${random.next().toFixed(2)}" y1="0" x2="${random.next().toFixed(2)}" y2="1"`,
    )}
    ${glow('cloud', [
      [0, '#fff', 0.75],
      [1, '#fff', 0],
    ])}
    ${STEEL}</defs>
  ${background('#15181c')}
  <path d="M-300 ${y - 20 + ramp}Q640 ${y - 120} 1600 ${y - ramp}V1400H-300z" fill="#1d2025"/>
  ${strokes(random, { count: 500, colour: '#3a3f45', opacity: 0.7, length: 9, width: 3 })}
  <g transform="rotate(${random.between(-4, 4).toFixed(2)} 640 ${y})"><rect x="${x}" y="${y}" width="780" height="128" rx="10" fill="url(#steel)" stroke="#0d0f12" stroke-width="5"/>
  ${textOutline(chassis, { x: x + 390, y: y + 92, size: 74, weight: 600, fill: '#101316', align: 'middle', spacing: 0.09 })}</g>
  <rect x="-500" y="-500" width="2280" height="1960" fill="url(#sky)" fill-opacity=".34"/>
  ${reflections(random)}
  <path d="M${random.whole(-200, 300)} -400L${random.whole(500, 900)} -400L${random.whole(300, 600)} 1400L${random.whole(-300, 100)} 1400z" fill="#fff" fill-opacity=".12"/>`
}

/** A number plate: white of the Mercosul pattern, or grey of the old one. */
export function numberPlate(plate: string, x: number, y: number, width: number) {
  const k = width / 800
  const isMercosul = /[A-Z]\d{2}$/.test(plate)
  const text = isMercosul ? plate : `${plate.slice(0, 3)}-${plate.slice(3)}`
  const face = isMercosul ? '#f5f7f8' : '#c9cdd0'
  return `<g transform="translate(${x} ${y}) scale(${k.toFixed(3)})">
    <rect x="-6" y="6" width="812" height="266" rx="18" fill="#000" fill-opacity=".45"/>
    <rect width="800" height="260" rx="16" fill="${face}" stroke="#111" stroke-width="7"/>
    ${
      isMercosul
        ? `<path d="M4 64V16Q4 4 16 4H784Q796 4 796 16V64z" fill="#1e4ba0"/>${textOutline('BRASIL', { x: 400, y: 52, size: 48, weight: 700, fill: '#fff', align: 'middle', spacing: 0.18 })}
    <rect x="738" y="14" width="44" height="32" rx="3" fill="#1f9a4d"/><path d="M760 17l18 13-18 13-18-13z" fill="#f7d038"/><circle cx="760" cy="30" r="7" fill="#1e4ba0"/>
    <rect x="24" y="84" width="46" height="46" fill="none" stroke="#15181c" stroke-width="6" stroke-dasharray="7 5"/>${textOutline('BR', { x: 24, y: 236, size: 44, weight: 700, fill: '#15181c' })}`
        : textOutline('CIDADE FICTÍCIA', {
            x: 400,
            y: 50,
            size: 40,
            weight: 600,
            fill: '#15181c',
            align: 'middle',
            spacing: 0.1,
          })
    }
    ${textOutline(text, { x: 418, y: 226, size: 198, weight: 600, fill: '#fff', align: 'middle', spacing: 0.04 })}
    ${textOutline(text, { x: 414, y: 222, size: 198, weight: 600, fill: '#15181c', align: 'middle', spacing: 0.04 })}</g>`
}

export const rearPlate: Scene = ({ plate, paint }, random) => {
  const width = random.whole(620, 760)
  const [x, y] = [640 - width / 2 + random.whole(-50, 50), random.whole(360, 460)]
  return `<defs>${STEEL}${gradient('body', [
    [0, '#fff'],
    [0.25, '#aab0b6'],
    [0.5, '#353b42'],
    [1, '#0c0e11'],
  ])}
    ${gradient('bumper', [
      [0, '#3a4047'],
      [0.4, '#1d2126'],
      [1, '#08090b'],
    ])}</defs>
  ${background(paint)}
  <rect x="-500" y="-500" width="2280" height="1960" fill="url(#body)" fill-opacity=".55"/>
  <path d="M-400 ${y - 210}Q640 ${y - 150} 1700 ${y - 210}" stroke="#fff" stroke-opacity=".5" stroke-width="16" fill="none"/>
  <path d="M-400 ${y - 90}Q640 ${y - 40} 1700 ${y - 90}V${y + 360}Q640 ${y + 420} -400 ${y + 360}z" fill="url(#bumper)"/>
  <rect x="${x - 70}" y="${y - 60}" width="${width + 140}" height="${width * 0.325 + 120}" rx="40" fill="#000" fill-opacity=".5"/>
  ${numberPlate(plate, x, y, width)}
  <circle cx="${x + 110}" cy="${y + 24}" r="9" fill="url(#steel)"/><circle cx="${x + width - 110}" cy="${y + 24}" r="9" fill="url(#steel)"/>
  <rect x="${random.oneOf([-60, 1130])}" y="${y - 330}" width="210" height="150" rx="40" fill="#c3151c" stroke="#5b0a0e" stroke-width="8"/>
  ${strokes(random, { count: 220, colour: '#b79f7d', opacity: 0.3, length: 10, width: 4 })}`
}

/** The whole front of the vehicle. */
export const front: Scene = ({ plate, paint }, random) => {
  const lean = random.oneOf([-1, 1]) * random.whole(4, 9)
  const lamp = (x: number, side: number) =>
    `<path d="M${x} 520q${70 * side} -64 ${250 * side} -52q${28 * side} 50 ${-20 * side} 96q${-130 * side} 18 ${-230 * side} -44z" fill="#dfe9f2" stroke="#12161b" stroke-width="8"/>
     <circle cx="${x + 120 * side}" cy="514" r="34" fill="#fff" stroke="#7d8a97" stroke-width="7"/>`
  return `<defs>${STEEL}${gradient('hood', [
    [0, '#fff'],
    [0.4, '#8d949b'],
    [1, '#23272c'],
  ])}${gradient('floor', [
    [0, '#565d64'],
    [1, '#23272b'],
  ])}${gradient('glass', [
    [0, '#9fbdd6'],
    [1, '#131a21'],
  ])}</defs>
  ${background('#7c858e')}
  <rect x="-500" y="-500" width="2280" height="900" fill="#a9b1b8"/>
  ${[-300, 60, 420, 780, 1140].map((x) => `<rect x="${x + random.whole(-60, 60)}" y="${random.whole(-300, 20)}" width="${random.whole(90, 330)}" height="${random.whole(200, 420)}" rx="6" fill="${random.oneOf(['#dfe7ee', '#3c434b', '#8f9aa3', '#6d4a34'])}" fill-opacity=".8"/>`).join('')}
  <rect x="-500" y="700" width="2280" height="900" fill="url(#floor)"/>
  <ellipse cx="640" cy="880" rx="640" ry="70" fill="#000" fill-opacity=".5"/>
  <g transform="translate(${random.whole(-130, 130)} ${random.whole(-60, 90)}) skewY(${lean / 3}) rotate(${lean / 8} 640 500)">
  <rect x="60" y="640" width="190" height="250" rx="60" fill="#0b0d10"/><rect x="1030" y="640" width="190" height="250" rx="60" fill="#0b0d10"/>
  <path d="M250 380Q300 150 400 120H880Q980 150 1030 380z" fill="url(#glass)" stroke="${paint}" stroke-width="26"/>
  <path d="M40 760Q30 470 150 420Q640 330 1130 420Q1250 470 1240 760Q1180 850 1060 850H220Q100 850 40 760z" fill="${paint}"/>
  <path d="M40 760Q30 470 150 420Q640 330 1130 420Q1250 470 1240 760Q1180 850 1060 850H220Q100 850 40 760z" fill="url(#hood)" fill-opacity=".42"/>
  ${lamp(110, 1)}${lamp(1170, -1)}
  <rect x="400" y="520" width="480" height="96" rx="34" fill="#0d1013" stroke="url(#steel)" stroke-width="9"/>
  <path d="M420 548h440M420 568h440M420 588h440" stroke="#39424b" stroke-width="6"/>
  <path d="M300 740h680l-50 76H350z" fill="#0d1013"/>
  ${numberPlate(plate, 470, 650, 340)}</g>`
}
