/** Eight digits as a CEP, «01310-100»; anything else stays as it is. */
export const formatZipCode = (bare: string) => bare.replace(/^(\d{5})(\d{3})$/, '$1-$2')
