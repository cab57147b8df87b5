/** All that can be due, in one list («Prazos»). The first five are noted with the claim. */
export const DUE_KINDS = ['send', 'answer', 'return', 'appeal', 'credit', 'part', 'legal'] as const
export type DueKind = (typeof DUE_KINDS)[number]
export const DUE_KIND: Record<DueKind, string> = {
  send: 'Enviar à marca',
  answer: 'Resposta esperada',
  return: 'Responder a devolução',
  appeal: 'Pedir reconsideração',
  credit: 'Crédito esperado',
  part: 'Peça a devolver',
  legal: 'Prazo legal do reparo',
}
