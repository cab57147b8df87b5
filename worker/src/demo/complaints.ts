import type { PartKind } from './drawing/scene.ts'

export interface Complaint {
  problem: string
  diagnosis: string
  solution: string
  part: { name: string; number: string; kind: PartKind }
  faults: readonly { code: string; text: string }[]
  parts_value: readonly [number, number]
  service_value: readonly [number, number]
}
/** Complaints whose parts and faults the drawings can show; values in R$. */
export const COMPLAINTS: readonly Complaint[] = [
  {
    problem: 'Cliente relata trepidação no pedal e no volante ao frear acima de 80 km/h.',
    diagnosis:
      'Disco dianteiro esquerdo com empenamento de 0,14 mm e sulcos profundos na pista. Pastilhas dentro da medida. Sem sinais de mau uso.',
    solution:
      'Substituídos os dois discos dianteiros e as pastilhas. Teste de rodagem de 12 km sem trepidação.',
    part: { name: 'Disco de freio dianteiro ventilado', number: 'DF-2840-117', kind: 'disc' },
    faults: [{ code: 'C0044', text: 'Pressão de freio: sinal irregular' }],
    parts_value: [780, 1_450],
    service_value: [260, 420],
  },
  {
    problem: 'Ruído metálico ao frear em baixa velocidade, mais forte pela manhã.',
    diagnosis: 'Trinca radial no disco traseiro direito, originada no furo de fixação. Falha de fundição.',
    solution: 'Disco traseiro e jogo de pastilhas substituídos. Sistema sangrado e testado.',
    part: { name: 'Disco de freio traseiro', number: 'DT-1932-504', kind: 'disc' },
    faults: [{ code: 'C0265', text: 'Relé do módulo ABS: circuito aberto' }],
    parts_value: [540, 990],
    service_value: [220, 360],
  },
  {
    problem: 'Veículo não dá partida após uma noite parado. Luz da bateria acende e apaga.',
    diagnosis:
      'Bateria com 9,8 V em repouso e vaso 3 em curto. Sulfatação no polo positivo. Alternador carregando 14,2 V.',
    solution: 'Bateria substituída e terminais limpos. Consumo em repouso medido: 22 mA.',
    part: { name: 'Bateria 60 Ah', number: 'BT-60-480-EFB', kind: 'battery' },
    faults: [
      { code: 'P0562', text: 'Tensão do sistema baixa' },
      { code: 'U0140', text: 'Comunicação com a carroceria perdida' },
    ],
    parts_value: [620, 1_080],
    service_value: [90, 160],
  },
  {
    problem: 'Start-stop deixou de funcionar e o painel reinicia ao ligar o veículo.',
    diagnosis:
      'Capacidade da bateria em 38 % no teste de condutância. Caixa com deformação. Sensor de bateria sem falhas.',
    solution: 'Bateria EFB substituída e registrada no módulo de gestão de energia.',
    part: { name: 'Bateria EFB start-stop', number: 'BT-68-620-SS', kind: 'battery' },
    faults: [{ code: 'P0562', text: 'Tensão do sistema baixa' }],
    parts_value: [880, 1_390],
    service_value: [120, 190],
  },
  {
    problem: 'Motor falha em marcha lenta, luz de injeção acesa e perda de força em subidas.',
    diagnosis:
      'Vela de um cilindro com eletrodo queimado e isolante trincado. Compressão igual nos quatro cilindros.',
    solution: 'Jogo de velas substituído, códigos apagados. Sem falhas de combustão após 20 km.',
    part: { name: 'Jogo de velas de ignição', number: 'VI-7714-IRX', kind: 'plugs' },
    faults: [
      { code: 'P0301', text: 'Falha de combustão no cilindro 1' },
      { code: 'P0171', text: 'Mistura pobre, banco 1' },
    ],
    parts_value: [290, 560],
    service_value: [180, 310],
  },
  {
    problem: 'Consumo elevado e estouros no escapamento em retomadas.',
    diagnosis:
      'Velas com carbonização irregular; uma delas fora da faixa térmica. Bobinas e injetores testados sem falhas.',
    solution: 'Velas substituídas conforme boletim técnico; parâmetros de mistura reaprendidos.',
    part: { name: 'Velas de ignição (4 peças)', number: 'VI-6620-PLT', kind: 'plugs' },
    faults: [
      { code: 'P0300', text: 'Falhas de combustão aleatórias' },
      { code: 'P0420', text: 'Catalisador abaixo da eficiência' },
    ],
    parts_value: [240, 480],
    service_value: [160, 280],
  },
]
