/** What a file shows. The API accepts all 17; the upload form offers the first nine (UPL-1, ENT-18, D-27). */
export const EVIDENCE_CATEGORY = {
  defeito: 'Defeito Reportado',
  tela_aparelho: 'Tela do Aparelho',
  teste: 'Teste Realizado',
  pecas: 'Peças Substituídas',
  solucionado: 'Situação Solucionada',
  pos_rodagem: 'Pós-Rodagem',
  chassi: 'Chassi Visível',
  placa: 'Placa do Veículo',
  odometro: 'Odômetro',
  inspecao: 'Inspeção',
  reparo: 'Reparo',
  causa: 'Causa',
  chassi_no_vidro: 'Chassi no Vidro',
  diagonal_dt: 'Diagonal Dianteira/Traseira',
  detalhe_problema_nitido: 'Detalhe Nítido do Problema',
  pos_solucionado: 'Pós-Solução',
  prints_telas: 'Prints de Telas',
} as const
export type EvidenceCategory = keyof typeof EVIDENCE_CATEGORY

export const EVIDENCE_CATEGORIES = Object.keys(EVIDENCE_CATEGORY) as EvidenceCategory[]
export const OFFERED_CATEGORIES = EVIDENCE_CATEGORIES.slice(0, 9)
