import type { EvidenceCategory } from '@garantia/shared/evidence/category'

/** What is drawn over the camera's picture, to be filled by what has to be seen. */
export type OutlineKind = 'plate' | 'strip' | 'dial' | 'car' | 'screen' | 'label' | 'corners'

interface Guide {
  outline: OutlineKind
  /** How it is photographed so that it can be read in the package. */
  hint: string
  /** Of metal or behind glass: a reflection hides what has to be read. Labels and screens are white by themselves. */
  isReflecting?: true
}

export const GUIDES: Record<EvidenceCategory, Guide> = {
  placa: {
    outline: 'plate',
    hint: 'De frente, com a placa inteira na moldura e sem reflexo',
    isReflecting: true,
  },
  chassi: {
    outline: 'strip',
    hint: 'De perto e de frente, com os 17 caracteres na moldura',
    isReflecting: true,
  },
  chassi_no_vidro: {
    outline: 'strip',
    hint: 'De perto, com a luz de lado para a gravação aparecer',
    isReflecting: true,
  },
  odometro: {
    outline: 'dial',
    hint: 'Ignição ligada, com os quilômetros totais na moldura',
    isReflecting: true,
  },
  diagonal_dt: { outline: 'car', hint: 'Na diagonal, a 45 graus, com o veículo inteiro e a placa visível' },
  pecas: { outline: 'label', hint: 'Etiqueta ou código da peça na moldura' },
  tela_aparelho: { outline: 'screen', hint: 'Tela inteira na moldura, com os códigos legíveis' },
  prints_telas: { outline: 'screen', hint: 'Tela inteira na moldura, com os textos legíveis' },
  defeito: { outline: 'corners', hint: 'O defeito no meio, com alguma peça em volta para situar' },
  detalhe_problema_nitido: { outline: 'corners', hint: 'Bem de perto, com o problema em foco' },
  causa: { outline: 'corners', hint: 'O que causou o defeito no meio da foto' },
  teste: { outline: 'corners', hint: 'O instrumento e o valor medido na mesma foto' },
  solucionado: { outline: 'corners', hint: 'O mesmo ângulo da foto do defeito, depois do reparo' },
  pos_solucionado: { outline: 'corners', hint: 'O mesmo ângulo da foto do defeito, depois do reparo' },
  pos_rodagem: { outline: 'corners', hint: 'Depois de rodar, a parte reparada no meio da foto' },
  inspecao: { outline: 'corners', hint: 'A parte inspecionada no meio da foto' },
  reparo: { outline: 'corners', hint: 'O reparo em andamento, com a peça no meio' },
}
