/** Steps of a claim in the history of its order. They are the dealership's own: a dossier leaves them out. */
export const CLAIM_EVENT = {
  'claim.opened': 'Solicitação aberta',
  'claim.changed': 'Rascunho da solicitação alterado',
  'claim.sent': 'Solicitação enviada à marca',
  'claim.mailed': 'E-mail da solicitação enviado de novo',
  'claim.in_review': 'Solicitação em análise na marca',
  'claim.returned': 'Solicitação devolvida pela marca',
  'claim.decided': 'Resposta da marca registrada',
  'claim.credit_note': 'Nota de crédito registrada',
  'claim.paid': 'Pagamento registrado',
  'claim.debited': 'Estorno registrado',
  'claim.written_off': 'Baixa registrada',
  'claim.carried': 'Valor levado à reconsideração',
  'claim.reconciled': 'Solicitação conciliada',
  'claim.withdrawn': 'Solicitação retirada',
  'claim.corrected': 'Lançamento corrigido',
  'claim.part': 'Peça a devolver atualizada',
  'defect.linked': 'Visita ligada a outras do mesmo defeito',
  'defect.unlinked': 'Visita separada das outras',
  'visit.changed': 'Datas ou fatos da visita alterados',
} as const
export type ClaimEvent = keyof typeof CLAIM_EVENT
