import type { SecurityEntry, SecurityGroup } from '@garantia/shared/audit/security'

export const GROUP_LABEL: Record<SecurityGroup, string> = {
  reads: 'Consultas de dados pessoais',
  refusals: 'Recusas',
}

const DETAIL_LABEL: Record<string, string> = {
  call: 'Chamada',
  account: 'Conta',
  account_id: 'Conta de id',
  token_id: 'Token de id',
  evidence_id: 'Evidência de id',
  copy: 'Arquivo',
  format: 'Formato',
  from: 'De',
  until: 'Até',
  sheet: 'Folha',
  n: 'Versão',
  part: 'Parte',
  field: 'Campo',
  reason: 'Motivo',
}
const WRITTEN: Record<string, string> = {
  original: 'original',
  converted: 'convertido',
  forged: 'assinatura que não confere',
  revoked: 'pessoa desativada',
  vehicle_chassis: 'chassi',
  customer_document: 'CPF ou CNPJ',
  customer_phone: 'telefone',
  customer_email: 'email',
  capa: 'capa da OS',
  termo: 'termo de aceite',
  etiqueta: 'etiqueta de peça',
}

/** Several fields are revealed by one press. */
const written = (text: string) =>
  text
    .split(', ')
    .map((one) => WRITTEN[one] ?? one)
    .join(', ')

/** «Conta: Ana Lima», one line per detail. */
export const detailLines = ({ details }: Pick<SecurityEntry, 'details'>) =>
  Object.entries(details)
    // Its name says more.
    .filter(([name]) => name !== 'account_id' || !('account' in details))
    .map(([name, value]) => `${DETAIL_LABEL[name] ?? name}: ${written(String(value))}`)
