import type { SeededRandom } from './random.ts'

interface Make {
  slug: string
  /** Percent of the orders. */
  share: number
  /** First three characters of its chassis numbers (world manufacturer identifier). */
  wmi: string
  models: readonly (readonly [name: string, price: number])[]
}
export const LAST_MAKE: Make = {
  slug: 'toyota',
  share: 2,
  wmi: '9BR',
  models: [
    ['Corolla Cross XRE', 188_900],
    ['Hilux SRV', 307_000],
  ],
}
export const MAKES: readonly Make[] = [
  {
    slug: 'fiat',
    share: 22,
    wmi: '9BD',
    models: [
      ['Pulse Drive 1.3', 98_500],
      ['Toro Volcano', 158_900],
      ['Argo Trekking', 89_900],
      ['Fastback Abarth', 162_000],
    ],
  },
  {
    slug: 'volkswagen',
    share: 16,
    wmi: '9BW',
    models: [
      ['T-Cross 200 TSI', 139_900],
      ['Nivus Highline', 149_500],
      ['Polo Track', 92_700],
      ['Saveiro Robust', 104_000],
    ],
  },
  {
    slug: 'chevrolet',
    share: 15,
    wmi: '9BG',
    models: [
      ['Onix Premier', 109_800],
      ['Tracker LTZ', 146_300],
      ['S10 High Country', 289_000],
    ],
  },
  {
    slug: 'renault',
    share: 11,
    wmi: '93Y',
    models: [
      ['Kwid Intense', 78_400],
      ['Duster Iconic', 138_200],
      ['Kardian Techno', 122_900],
    ],
  },
  {
    slug: 'honda',
    share: 10,
    wmi: '93H',
    models: [
      ['HR-V EXL', 178_500],
      ['City Touring', 139_600],
      ['WR-V EX', 147_100],
    ],
  },
  {
    slug: 'jeep',
    share: 8,
    wmi: '988',
    models: [
      ['Compass Longitude', 189_900],
      ['Renegade Altitude', 142_300],
    ],
  },
  {
    slug: 'hyundai',
    share: 6,
    wmi: '9BH',
    models: [
      ['HB20 Platinum', 106_900],
      ['Creta Limited', 161_400],
    ],
  },
  {
    slug: 'nissan',
    share: 5,
    wmi: '94D',
    models: [
      ['Kicks Advance', 137_200],
      ['Versa Exclusive', 129_800],
    ],
  },
  {
    slug: 'byd',
    share: 3,
    wmi: 'LGX',
    models: [
      ['Dolphin Plus', 179_800],
      ['Song Pro GS', 209_800],
    ],
  },
  {
    slug: 'ford',
    share: 2,
    wmi: '9BF',
    models: [
      ['Ranger XLT', 298_000],
      ['Territory Titanium', 215_000],
    ],
  },
  LAST_MAKE,
]

const PAINTS = [
  ['Branco', '#d9dcde'],
  ['Preto', '#1b1e22'],
  ['Prata', '#9fa6ac'],
  ['Cinza', '#5b626a'],
  ['Vermelho', '#8e1b22'],
  ['Azul', '#1f3f75'],
  ['Verde', '#2d4a3c'],
  ['Bege', '#b3a285'],
] as const
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Characters of a chassis number: no I, O or Q. */
const CHASSIS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

export function vehicle(random: SeededRandom, make: Make, year: number) {
  const many = (from: string, count: number) =>
    Array.from({ length: count }, () => random.oneOf([...from])).join('')
  const [name, price] = random.oneOf(make.models)
  const [color, paint] = random.oneOf(PAINTS)
  const age = random.whole(0, 4)
  const plate = random.happens(0.85)
    ? `${many(LETTERS, 3)}${random.whole(0, 9)}${random.oneOf([...'ABCDEFGHIJ'])}${random.whole(10, 99)}`
    : `${many(LETTERS, 3)}${random.whole(1000, 9999)}`
  return {
    paint,
    vehicle_model: name,
    vehicle_year: year - age,
    vehicle_color: color,
    vehicle_plate: plate,
    vehicle_chassis: `${make.wmi}${many(CHASSIS, 8)}${many('0123456789', 6)}`,
    vehicle_mileage: random.whole(1_200, 9_000) + age * random.whole(8_000, 19_000),
    vehicle_value: Math.round((price * (1 - 0.09 * age)) / 100) * 100,
  }
}
