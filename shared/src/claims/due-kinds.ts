/** All that can be due, in one list («Prazos»). The first five are noted with the claim; a mail that failed is due at once. */
export const DUE_KINDS = ['send', 'answer', 'return', 'appeal', 'credit', 'mail', 'part', 'legal'] as const
export type DueKind = (typeof DUE_KINDS)[number]
export const DUE_KIND: Record<DueKind, string> = {
  send: 'Enviar à marca',
  answer: 'Resposta esperada',
  return: 'Responder a devolução',
  appeal: 'Pedir reconsideração',
  credit: 'Crédito esperado',
  mail: 'E-mail que não saiu',
  part: 'Peça a devolver',
  legal: 'Prazo legal do reparo',
}
