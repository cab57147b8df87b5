import type { SeededRandom } from '../random.ts'
import { textOutline } from './glyphs.ts'
import { background, glow, gradient, type PartKind, polarPoint, type Scene, strokes } from './scene.ts'

const DEFS = `${gradient(
  'metal',
  [
    [0, '#eef1f3'],
    [0.35, '#a5adb4'],
    [0.55, '#6d757d'],
    [1, '#c4cacf'],
  ],
  'x1="0" y1="0" x2="1" y2="1"',
)}
  ${gradient(
    'ceramic',
    [
      [0, '#d9dde0'],
      [0.3, '#ffffff'],
      [0.7, '#e6e9eb'],
      [1, '#a7adb2'],
    ],
    'x1="0" y1="0" x2="1" y2="0"',
  )}
  ${gradient('card', [
    [0, '#d6ad77'],
    [1, '#a97c45'],
  ])}
  ${glow('burn', [
    [0, '#1c0f06', 0.95],
    [0.6, '#5b2d10', 0.55],
    [1, '#5b2d10', 0],
  ])}
  ${glow('salt', [
    [0, '#d8fff6', 1],
    [0.6, '#5fd0c0', 0.75],
    [1, '#5fd0c0', 0],
  ])}
  ${glow('heat', [
    [0, '#3648c9', 0.75],
    [0.5, '#a24fb5', 0.4],
    [1, '#c98b2b', 0],
  ])}`

/** A brake disc from the front; a worn one is grooved, discoloured and cracked. */
function disc(random: SeededRandom, isWorn: boolean) {
  let face = ''
  for (let spoke = 0; spoke < 180; spoke++) {
    const light = 50 + 38 * Math.sin((spoke / 180) * Math.PI * 4 + 1) + random.between(-6, 6)
    const [ax, ay] = polarPoint(spoke * 2, 250)
    const [bx, by] = polarPoint(spoke * 2, 420)
    face += `<line x1="${ax.toFixed(1)}" y1="${ay.toFixed(1)}" x2="${bx.toFixed(1)}" y2="${by.toFixed(1)}" stroke="hsl(${isWorn ? 28 : 210} ${isWorn ? 16 : 6}% ${light.toFixed(0)}%)" stroke-width="17"/>`
  }
  const rings = Array.from({ length: isWorn ? 26 : 12 }, () => {
    const radius = random.between(258, 414)
    return `<circle r="${radius.toFixed(0)}" fill="none" stroke="${isWorn ? random.oneOf(['#4a2f1b', '#20242a', '#7d5a3a', '#d9c9b2']) : '#fff'}" stroke-opacity="${isWorn ? random.between(0.25, 0.75).toFixed(2) : 0.28}" stroke-width="${(isWorn ? random.between(2, 7) : 1.5).toFixed(1)}"/>`
  })
  const holes = Array.from({ length: 5 }, (_, place) => {
    const [x, y] = polarPoint(place * 72 - 90, 150)
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="27" fill="#101317" stroke="#4a5159" stroke-width="8"/>`
  })
  const crack = random.whole(200, 340)
  const [cx, cy] = polarPoint(crack, 255)
  const [dx, dy] = polarPoint(crack + 7, 335)
  const [ex, ey] = polarPoint(crack - 2, 416)
  const [hx, hy] = polarPoint(random.whole(10, 150), 330)
  return `<circle r="452" fill="#000" fill-opacity=".4" cx="16" cy="24"/><circle r="436" fill="#4d545b"/><circle r="424" fill="#7b828a"/>${face}${rings.join('')}
    ${isWorn ? `<circle cx="${hx.toFixed(0)}" cy="${hy.toFixed(0)}" r="150" fill="url(#heat)"/><path d="M${cx.toFixed(0)} ${cy.toFixed(0)}L${dx.toFixed(0)} ${dy.toFixed(0)}L${ex.toFixed(0)} ${ey.toFixed(0)}" stroke="#0b0705" stroke-width="8" fill="none"/>` : ''}
    <circle r="248" fill="${isWorn ? '#5f4a38' : '#59616a'}"/><circle r="236" fill="url(#metal)" fill-opacity="${isWorn ? 0.45 : 0.9}"/>
    ${holes.join('')}<circle r="88" fill="#14181c" stroke="#2f353c" stroke-width="12"/>`
}

/** A battery from above; a worn one has corrosion on a pole and a swollen case. */
function battery(random: SeededRandom, isWorn: boolean) {
  const pole = (x: number, sign: string, colour: string) =>
    `<circle cx="${x}" cy="-150" r="66" fill="url(#metal)" stroke="#2a2f35" stroke-width="8"/><circle cx="${x}" cy="-150" r="40" fill="#9ba3aa"/>${textOutline(sign, { x, y: -40, size: 96, weight: 700, fill: colour, align: 'middle' })}`
  return `<rect x="-410" y="-246" width="850" height="540" rx="36" fill="#000" fill-opacity=".45"/><rect x="-430" y="-270" width="860" height="540" rx="${isWorn ? 64 : 30}" fill="#1c2026" stroke="#3c434b" stroke-width="10"/>
    <rect x="-390" y="30" width="780" height="200" rx="14" fill="#0f4c8a"/>${textOutline('12 V  60 Ah  480 A', { x: 0, y: 160, size: 96, weight: 700, fill: '#fff', align: 'middle' })}
    ${[-250, -90, 90, 250].map((x) => `<circle cx="${x}" cy="-18" r="30" fill="#2b3138" stroke="#454d56" stroke-width="6"/>`).join('')}
    ${pole(-300, '+', '#ff5a4d')}${pole(300, '–', '#aebac6')}
    ${isWorn ? Array.from({ length: 16 }, () => `<circle cx="${-300 + random.whole(-80, 80)}" cy="${-150 + random.whole(-80, 70)}" r="${random.whole(22, 62)}" fill="url(#salt)"/>`).join('') : ''}`
}

/** Four spark plugs in a row; one of a worn set is burnt. */
function plugs(random: SeededRandom, isWorn: boolean) {
  const bad = random.whole(0, 3)
  return [0, 1, 2, 3]
    .map((place) => {
      const isBad = isWorn && place === bad
      return `<g transform="translate(${place * 220 - 330} 0) rotate(${random.between(-3, 3).toFixed(1)})">
      <rect x="-42" y="-380" width="120" height="760" rx="40" fill="#000" fill-opacity=".35"/>
      <rect x="-22" y="-390" width="44" height="60" rx="10" fill="url(#metal)"/><rect x="-40" y="-335" width="80" height="270" rx="26" fill="url(#ceramic)"/>
      ${[-300, -270, -240].map((y) => `<rect x="-44" y="${y}" width="88" height="12" rx="6" fill="#b9bfc4"/>`).join('')}
      ${textOutline('NGX', { x: 0, y: -130, size: 44, weight: 700, fill: '#2a4d7d', align: 'middle' })}
      <path d="M-72-70h144l10 40-10 90H-72l-10-90z" fill="url(#metal)" stroke="#4b535b" stroke-width="5"/>
      <rect x="-50" y="60" width="100" height="230" fill="#8b939a"/>${Array.from({ length: 11 }, (_, turn) => `<path d="M-54 ${72 + turn * 20}l108 10" stroke="#4d555d" stroke-width="7"/>`).join('')}
      <rect x="-14" y="290" width="28" height="56" fill="${isBad ? '#1a1310' : '#e4d9c4'}"/><path d="M46 290v80H-6" stroke="${isBad ? '#241a14' : '#8b939a'}" stroke-width="20" fill="none"/>
      ${isBad ? '<circle cx="0" cy="290" r="150" fill="url(#burn)"/>' : ''}</g>`
    })
    .join('')
}

const DRAWN: Record<PartKind, (random: SeededRandom, isWorn: boolean) => string> = { disc, battery, plugs }

/** Objects on a workbench: a rag, a sheet of paper, a tray, a board, and a spilt liquid. */
function clutter(random: SeededRandom) {
  const corner = () => `${random.whole(0, 420)} ${random.whole(0, 360)}`
  const place = () =>
    `translate(${random.whole(-260, 1180)} ${random.whole(-220, 880)}) rotate(${random.whole(-50, 50)})`
  const kinds = [
    () =>
      `<path d="M0 0L${corner()}Q${corner()} 470 ${random.whole(80, 300)}Q${corner()} 60 420z" fill="${random.oneOf(['#8f2a2a', '#27496b', '#b9b3a4', '#d8d3c6'])}" fill-opacity=".9"/>`,
    () =>
      `<rect width="430" height="580" fill="#eceae2"/><path d="M40 70h340M40 120h300M40 170h340M40 220h250" stroke="#9aa0a6" stroke-width="8"/>`,
    () =>
      `<rect width="640" height="420" rx="24" fill="#22272d"/><rect x="18" y="18" width="604" height="384" rx="14" fill="#3b424a"/>`,
    () =>
      `<rect width="720" height="150" fill="#b58a52"/><path d="M0 50h720M0 104h720" stroke="#8a6436" stroke-width="5"/>`,
    () => `<rect width="${random.whole(300, 700)}" height="46" rx="20" fill="#c3c9ce" fill-opacity=".8"/>`,
    () =>
      `<ellipse rx="${random.whole(160, 340)}" ry="${random.whole(80, 200)}" fill="#1b140d" fill-opacity=".45"/>`,
  ]
  return Array.from(
    { length: random.whole(3, 5) },
    () => `<g transform="${place()}">${random.oneOf(kinds)()}</g>`,
  ).join('')
}

const bench = (random: SeededRandom) => {
  const tone = random.oneOf(['#8b8f94', '#6c5a46', '#58636e', '#9a8d7b', '#43484e', '#2f4a3d', '#b3a58c'])
  return `${background(tone)}${strokes(random, { count: 130, colour: '#000', opacity: 0.16, length: 420, slant: random.between(-0.4, 0.4) })}${strokes(random, { count: 80, colour: '#fff', opacity: 0.1, length: 260, slant: 0.3 })}${clutter(random)}`
}

/** The removed part with its fault; with a larger `zoom` it fills the picture. */
export const part =
  ({ isWorn, zoom = 1 }: { isWorn: boolean; zoom?: number }): Scene =>
  ({ part: { kind } }, random) =>
    `<defs>${DEFS}</defs>${bench(random)}
    <g transform="translate(${random.whole(520, 760)} ${random.whole(420, 540)}) rotate(${random.whole(-16, 16)}) scale(${(zoom * random.between(0.9, 1.12)).toFixed(3)})">${DRAWN[kind](random, isWorn)}</g>`

/** The new part beside its box, with a legible part number. */
export const newPart: Scene = ({ part: { kind, name, number } }, random) => {
  const bars = Array.from(
    { length: 46 },
    (_, place) => `<rect x="${place * 9}" y="0" width="${random.whole(2, 7)}" height="86" fill="#15181c"/>`,
  )
  const side = random.oneOf([0, 1])
  return `<defs>${DEFS}</defs>${bench(random)}
    <g transform="translate(${side ? 900 : 380} ${random.whole(430, 560)}) rotate(${random.whole(-20, 20)}) scale(.78)">${DRAWN[kind](random, false)}</g>
    <g transform="translate(${side ? 60 : 640} ${random.whole(200, 330)}) rotate(${random.between(-6, 6).toFixed(1)})">
    <rect x="18" y="26" width="560" height="430" rx="8" fill="#000" fill-opacity=".45"/><rect width="560" height="430" rx="8" fill="url(#card)"/><path d="M0 80h560" stroke="#7d5a2f" stroke-opacity=".6" stroke-width="4"/>
    <rect x="46" y="118" width="468" height="270" rx="6" fill="#fdfdfb"/>
    ${textOutline('PEÇA DE REPOSIÇÃO', { x: 70, y: 168, size: 38, weight: 700, fill: '#15181c', spacing: 0.03 })}
    ${textOutline(name, { x: 70, y: 214, size: 34, weight: 500, fill: '#2a3037' })}
    ${textOutline(number, { x: 70, y: 270, size: 52, weight: 700, fill: '#15181c' })}
    <g transform="translate(70 286)">${bars.join('')}</g></g>`
}
