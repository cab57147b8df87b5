import { integer } from '@garantia/shared/format'
import { textOutline } from './glyphs.ts'
import { background, glow, gradient, polarPoint, type Scene } from './scene.ts'

const FROM = 140
const SWEEP = 260

/** One round gauge: ring, ticks, numbers and a lit needle. */
function gauge(
  x: number,
  y: number,
  radius: number,
  {
    most,
    step,
    value,
    unit,
    accent,
    red = Number.POSITIVE_INFINITY,
  }: { most: number; step: number; value: number; unit: string; accent: string; red?: number },
) {
  let marks = ''
  for (let tick = 0; tick <= most * 2; tick += step) {
    const degrees = FROM + (SWEEP * tick) / (most * 2)
    const isLong = (tick / step) % 2 === 0
    const [ax, ay] = polarPoint(degrees, radius - 12, x, y)
    const [bx, by] = polarPoint(degrees, radius - (isLong ? 40 : 26), x, y)
    const colour = tick / 2 >= red ? '#ff5a4d' : '#f2f6fa'
    marks += `<line x1="${ax.toFixed(1)}" y1="${ay.toFixed(1)}" x2="${bx.toFixed(1)}" y2="${by.toFixed(1)}" stroke="${colour}" stroke-width="${isLong ? 5 : 2.5}"/>`
    if (isLong) {
      const [tx, ty] = polarPoint(degrees, radius - 72, x, y)
      marks += textOutline(String(tick / 2), {
        x: tx,
        y: ty + 13,
        size: 38,
        weight: 600,
        fill: colour,
        align: 'middle',
      })
    }
  }
  const needle = FROM + (SWEEP * value) / most
  return `<circle cx="${x}" cy="${y}" r="${radius + 16}" fill="url(#bezel)"/>
    <circle cx="${x}" cy="${y}" r="${radius}" fill="url(#face)"/>
    <circle cx="${x}" cy="${y}" r="${radius - 3}" fill="none" stroke="${accent}" stroke-opacity=".55" stroke-width="4"/>
    ${marks}${textOutline(unit, { x, y: y + radius * 0.62, size: 28, weight: 500, fill: '#aeb9c4', align: 'middle' })}
    <g transform="rotate(${needle.toFixed(1)} ${x} ${y})">
      ${[26, 18, 11].map((half) => `<path d="M${x - 34} ${y - half / 2}L${x + radius - 24} ${y - half / 3}v${(half * 2) / 3}L${x - 34} ${y + half / 2}z" fill="${accent}" fill-opacity=".12"/>`).join('')}
      <path d="M${x - 34} ${y - 7}L${x + radius - 30} ${y - 2}v4L${x - 34} ${y + 7}z" fill="${accent}" fill-opacity=".9"/>
      <path d="M${x - 34} ${y - 6}L${x + radius - 32} ${y - 1}v2L${x - 34} ${y + 6}z" fill="#fff" fill-opacity=".85"/></g>
    <circle cx="${x}" cy="${y}" r="38" fill="url(#bezel)"/><circle cx="${x}" cy="${y}" r="24" fill="#0c0f13"/>`
}

const lamp = (x: number, y: number, colour: string, shape: string) =>
  `<g transform="translate(${x} ${y})" stroke="${colour}" stroke-width="5" fill="none" stroke-linejoin="round">${shape}</g>`
const ENGINE = '<path d="M-26-4v16h8v8h34l8-8v-18l-8-8h-12v-8h-16v8h-8l-6 8zM-34-10v26M-12-22h20"/>'
const BATTERY = '<path d="M-26-14h52v32h-52zM-16-14v-8h8v8M8-14v-8h8v8M-16 2h10M6 2h10M11-3v10"/>'
const BELT = '<circle cx="0" cy="-16" r="8"/><path d="M-14 22v-16q14-18 28 0v16zM-12 18L16-4"/>'

/** The instruments of the dashboard with the mileage; while driving, as on a test drive. */
export const instrumentCluster =
  (isDriving: boolean): Scene =>
  ({ mileage, faults }, random) => {
    const accent = random.oneOf(['#ff7a3d', '#4fb8ff', '#ff4f5e', '#6ee7b7', '#e9f1ff'])
    const speed = isDriving ? random.whole(38, 82) : 0
    const turns = isDriving ? random.between(1.8, 2.9) : random.oneOf([0, 0.85])
    const isFaulty = faults.length > 0 && !isDriving
    return `<defs>${gradient(
      'bezel',
      [
        [0, '#4a525b'],
        [0.5, '#14181d'],
        [1, '#2c333b'],
      ],
      'x1="0" y1="0" x2="1" y2="1"',
    )}
      ${glow('face', [
        [0, '#1b222b', 1],
        [0.75, '#0b0e12', 1],
        [1, '#04060a', 1],
      ])}
      ${gradient('screen', [
        [0, '#0e1a28'],
        [1, '#070d15'],
      ])}</defs>
    ${background('#0a0c10')}
    <path d="M-200 1100V320Q640 -40 1480 320V1100z" fill="#12161b"/>
    <path d="M-200 330Q640 -30 1480 330" stroke="#39424d" stroke-width="6" fill="none"/>
    ${gauge(270, 500, 250, { most: 8, step: 1, value: turns, unit: 'x1000 r/min', accent, red: 6.5 })}
    ${gauge(1010, 500, 250, { most: 220, step: 20, value: speed, unit: 'km/h', accent })}
    <rect x="500" y="250" width="280" height="440" rx="22" fill="url(#screen)" stroke="#2a3846" stroke-width="3"/>
    ${textOutline(isDriving ? 'D4' : 'P', { x: 640, y: 350, size: 78, weight: 600, fill: '#eaf4ff', align: 'middle' })}
    <line x1="530" y1="386" x2="750" y2="386" stroke="#2f4458" stroke-width="3"/>
    ${textOutline(isDriving ? `${speed} km/h` : '23 °C   14:05', { x: 640, y: 446, size: 40, weight: 500, fill: '#9fc0dd', align: 'middle' })}
    ${textOutline('ODÔMETRO TOTAL', { x: 640, y: 528, size: 24, weight: 500, fill: '#6f8aa3', align: 'middle', spacing: 0.05 })}
    ${textOutline(`${integer(mileage)} km`, { x: 640, y: 594, size: 62, weight: 600, fill: '#ffffff', align: 'middle' })}
    ${textOutline(`A ${random.whole(80, 640)},${random.whole(0, 9)} km`, { x: 640, y: 652, size: 32, weight: 500, fill: '#7f9bb5', align: 'middle' })}
    ${lamp(560, 770, isFaulty ? '#ffb020' : '#2a2f35', ENGINE)}
    ${lamp(640, 770, random.happens(0.3) && isFaulty ? '#ff4a3d' : '#2a2f35', BATTERY)}
    ${lamp(720, 770, isDriving ? '#2a2f35' : '#ff4a3d', BELT)}
    <path d="M-100 -100L${random.whole(300, 700)} -100L${random.whole(-100, 250)} 1060L-100 1060z" fill="#fff" fill-opacity=".045"/>
    <path d="M${random.whole(850, 1000)} -100h90l-420 1160h-90z" fill="#fff" fill-opacity=".035"/>`
  }
