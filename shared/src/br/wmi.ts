/**
 * World manufacturer identifiers: the first three characters of a chassis number (ISO 3780), by the code of
 * the brand under which the cars are sold in Brazil. Makers that are sold here, from the plants they are
 * delivered from; those that several brands share are left out (93X: Mitsubishi and Suzuki). No complete list is
 * published; these were collected by hand and not checked against the assigning bodies. A hint, never a rule: makers
 * also use codes of each other.
 */
const WMI: Readonly<Record<string, string>> = {
  volkswagen: '9BW 8AW 3VW WVW WVG WV1 WV2',
  fiat: '9BD 8AP ZFA 3C3',
  jeep: '988 1C4 1J4 1J8',
  chevrolet: '9BG 8AG 3GN 1GN KL1',
  toyota: '9BR 8AJ JTD JTE JTM JTN',
  hyundai: '9BH 95P KMH KM8',
  honda: '93H JHM 1HG 2HG 3HG',
  renault: '93Y 8A1 VF1',
  nissan: '94D 8AN 3N1 3N8 JN1 JN8',
  ford: '9BF 8AF 1FA 1FM 1FT 3FA',
  byd: 'LGX LC0',
  peugeot: '936 8AD VF3 VR3',
  citroen: '935 8BC VF7 VR7',
  kia: 'KNA KND KNE KNC',
  'caoa-chery': '98R LVV LVT',
  gwm: 'LGW',
  jac: 'LJ1',
  bmw: '98M WBA WBS WBY 5UX',
  audi: '93U 99A WAU WA1',
  'mercedes-benz': '9BM 8AC WDB WDC WDD W1K W1N',
  volvo: 'YV1 YV4',
  'land-rover': '99J SAL',
  ram: '3C6 1C6',
}
const BRAND_BY_WMI = new Map(
  Object.entries(WMI).flatMap(([code, list]) => list.split(' ').map((wmi) => [wmi, code])),
)

/**
 * The code of the brand that a chassis number points to; null when its first three characters are not known.
 */
export const brandOfChassis = (chassis: string) => BRAND_BY_WMI.get(chassis.slice(0, 3).toUpperCase()) ?? null
