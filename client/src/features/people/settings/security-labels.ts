import { SECURITY_REFERENCES, type SecurityEntry, type SecurityGroup } from '@garantia/shared/audit/security'

export const GROUP_LABEL: Record<SecurityGroup, string> = {
  reads: 'Consultas de dados pessoais',
  refusals: 'Recusas',
}

const DETAIL_LABEL: Record<string, string> = {
  call: 'Chamada',
  account: 'Conta',
  account_id: 'Conta',
  token_id: 'Token',
  evidence_id: 'Evidência',
  copy: 'Arquivo',
  format: 'Formato',
  from: 'De',
  until: 'Até',
  sheet: 'Folha',
  n: 'Versão',
  page: 'Página',
  part: 'Parte',
  field: 'Campo',
  ends: 'Final',
  reason: 'Motivo',
  by: 'Procurado por',
  packages_id: 'Pedido de pacotes',
  request_id: 'Pedido do titular',
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
  document: 'CPF ou CNPJ',
  email: 'email',
  phone: 'telefone',
  capa: 'capa da OS',
  termo: 'termo de aceite',
  etiqueta: 'etiqueta de peça',
}

/** Requests, which have no name. */
const NUMBERED = new Set(['packages_id', 'request_id'])

/** Several fields are revealed by one press. */
const written = (text: string) =>
  text
    .split(', ')
    .map((one) => WRITTEN[one] ?? one)
    .join(', ')

/** «Conta: Ana Lima», one line per detail; a number is left of what is gone. */
export const detailLines = ({ details, names }: Pick<SecurityEntry, 'details' | 'names'>) =>
  Object.entries(details)
    // Its name at that time says more.
    .filter(([name]) => name !== 'account_id' || !('account' in details))
    .map(([name, value]) => {
      const reference = SECURITY_REFERENCES.find((one) => one === name)
      const number = reference || NUMBERED.has(name) ? `nº ${value}` : null
      const text = (reference && names[reference]) ?? number ?? written(String(value))
      return `${DETAIL_LABEL[name] ?? name}: ${text}`
    })
