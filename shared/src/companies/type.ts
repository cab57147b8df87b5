export const COMPANY_TYPES = ['matriz', 'filial'] as const
