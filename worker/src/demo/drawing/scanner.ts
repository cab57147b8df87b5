import { integer } from '@garantia/shared/format'
import { textOutline } from './glyphs.ts'
import { background, gradient, type Scene } from './scene.ts'

const MODULES = ['Motor (ECM)', 'Transmissão (TCM)', 'ABS / ESP', 'Airbag (SRS)', 'Carroceria (BCM)']

/** The screen of the diagnostic scanner, 1120 × 760. */
function display({ chassis, mileage, model, faults }: Parameters<Scene>[0], isCleared: boolean) {
  const rows = isCleared ? [] : faults
  const ink = { size: 30, weight: 500, fill: '#dbe7f3' } as const
  const list = rows.map(
    ({ code, text }, place) => `<g transform="translate(0 ${place * 82})">
      <rect x="380" y="236" width="716" height="70" rx="8" fill="#16263a"/><rect x="380" y="236" width="8" height="70" rx="4" fill="#ff9f1c"/>
      ${textOutline(code, { x: 408, y: 284, size: 38, weight: 700, fill: '#ffc266' })}${textOutline(text, { ...ink, x: 530, y: 282 })}</g>`,
  )
  return `<rect width="1120" height="760" rx="10" fill="#0b1624"/>
    <rect width="1120" height="74" rx="10" fill="#12508a"/>
    ${textOutline('DIAGNÓSTICO', { x: 28, y: 50, size: 40, weight: 700, fill: '#fff', spacing: 0.04 })}
    ${textOutline('12,4 V   OBD II   CAN', { x: 1092, y: 48, size: 30, weight: 500, fill: '#cfe4f8', align: 'end' })}
    <rect x="0" y="74" width="1120" height="86" fill="#0f2136"/>
    ${textOutline(model, { ...ink, x: 28, y: 130, size: 36, weight: 600 })}
    ${textOutline(`VIN ${chassis}`, { ...ink, x: 640, y: 130, align: 'middle' })}
    ${textOutline(`${integer(mileage)} km`, { ...ink, x: 1092, y: 130, align: 'end' })}
    ${MODULES.map((name, place) => {
      const isBad = place === 0 && rows.length > 0
      return `<rect x="24" y="${186 + place * 82}" width="332" height="68" rx="8" fill="${place === 0 ? '#1c3b5c' : '#12243a'}"/>
        <circle cx="58" cy="${220 + place * 82}" r="13" fill="${isBad ? '#ff5a4d' : '#34c77b'}"/>${textOutline(name, { ...ink, x: 86, y: 231 + place * 82 })}`
    }).join('')}
    ${textOutline(rows.length > 0 ? `CÓDIGOS DE FALHA: ${rows.length}` : 'CÓDIGOS DE FALHA: 0', { x: 380, y: 218, size: 30, weight: 600, fill: '#8fb4d6', spacing: 0.03 })}
    ${list.join('')}
    ${rows.length > 0 ? '' : `<circle cx="738" cy="370" r="66" fill="none" stroke="#34c77b" stroke-width="12"/><path d="M704 372l26 26 46-52" stroke="#34c77b" stroke-width="13" fill="none"/>${textOutline('Nenhuma falha armazenada', { x: 738, y: 500, size: 40, weight: 600, fill: '#c9f2dc', align: 'middle' })}`}
    ${['Ler códigos', 'Apagar', 'Parâmetros', 'Relatório'].map((name, place) => `<rect x="${24 + place * 272}" y="676" width="256" height="62" rx="10" fill="${place === 0 ? '#1f6fbf' : '#1a324d'}"/>${textOutline(name, { x: 152 + place * 272, y: 717, size: 30, weight: 600, fill: '#fff', align: 'middle' })}`).join('')}`
}

/** The diagnostic scanner in its rubber frame on a workbench. */
export const scanner =
  (isCleared: boolean): Scene =>
  (subject, random) => {
    const rubber = random.oneOf(['#e8681c', '#1f6fbf', '#2c3138', '#c8b01a'])
    return `<defs>${gradient('bench', [
      [0, '#6a7078'],
      [0.6, '#3a3f46'],
      [1, '#1d2024'],
    ])}</defs>
    ${background('url(#bench)')}
    <rect x="${random.whole(-150, 900)}" y="-300" width="${random.whole(200, 420)}" height="420" rx="20" fill="#11151a" fill-opacity=".7"/>
    <path d="M${random.whole(900, 1100)} -80C1300 300 1100 500 1500 900" stroke="#14171b" stroke-width="46" fill="none"/>
    <rect x="44" y="74" width="1230" height="870" rx="76" fill="#000" fill-opacity=".5"/>
    <rect x="24" y="44" width="1232" height="872" rx="76" fill="${rubber}"/>
    <rect x="52" y="72" width="1176" height="816" rx="42" fill="#15181c"/>
    ${[
      [24, 44],
      [1146, 44],
      [24, 806],
      [1146, 806],
    ]
      .map(
        ([x, y]) =>
          `<rect x="${x}" y="${y}" width="110" height="110" rx="40" fill="${rubber}" stroke="#000" stroke-opacity=".25" stroke-width="6"/>`,
      )
      .join('')}
    <g transform="translate(80 98)">${display(subject, isCleared)}</g>
    <path d="M${random.whole(80, 500)} 98h${random.whole(120, 320)}L${random.whole(80, 300)} 858h-220z" fill="#fff" fill-opacity=".05"/>
    ${textOutline('GARANTIA · demonstração', { x: 640, y: 884, size: 20, weight: 500, fill: '#5a636d', align: 'middle', spacing: 0.1 })}`
  }
