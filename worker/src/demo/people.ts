import { isCnpj, isCpf } from '@garantia/shared/br/tax-id'
import { folded } from '@garantia/shared/format'
import { ROLE_LABEL, type Role } from '@garantia/shared/users/role'
import type { SeededRandom } from './random.ts'

/** All data here are invented; nobody can own a domain below `.example` (RFC 2606). */
const DOMAIN = 'demo.example'

interface Dealership {
  key: string
  parent?: string
  trading_name: string
  legal_name: string
  /** Root and branch of a CNPJ; the check digits are computed. */
  root: string
  city: string
  state: string
  address: string
  zip_code: string
  area: string
}
export const DEALERSHIPS: readonly Dealership[] = [
  {
    key: 'serra',
    trading_name: 'Serra Azul Veículos',
    legal_name: 'Serra Azul Fictícia Veículos Ltda',
    root: '410276350001',
    city: 'São Paulo',
    state: 'SP',
    address: 'Avenida dos Exemplos, 1200',
    zip_code: '01000001',
    area: '11',
  },
  {
    key: 'campinas',
    parent: 'serra',
    trading_name: 'Serra Azul Campinas',
    legal_name: 'Serra Azul Fictícia Veículos Ltda',
    root: '410276350002',
    city: 'Campinas',
    state: 'SP',
    address: 'Rua do Modelo, 85',
    zip_code: '13000001',
    area: '19',
  },
  {
    key: 'ribeirao',
    parent: 'serra',
    trading_name: 'Serra Azul Ribeirão Preto',
    legal_name: 'Serra Azul Fictícia Veículos Ltda',
    root: '410276350003',
    city: 'Ribeirão Preto',
    state: 'SP',
    address: 'Avenida da Amostra, 640',
    zip_code: '14000001',
    area: '16',
  },
  {
    key: 'litoral',
    trading_name: 'Litoral Motors',
    legal_name: 'Litoral Fictícia Motors S.A.',
    root: '538814720001',
    city: 'Florianópolis',
    state: 'SC',
    address: 'Rodovia Imaginária, km 4',
    zip_code: '88000001',
    area: '48',
  },
  {
    key: 'itajai',
    parent: 'litoral',
    trading_name: 'Litoral Motors Itajaí',
    legal_name: 'Litoral Fictícia Motors S.A.',
    root: '538814720002',
    city: 'Itajaí',
    state: 'SC',
    address: 'Rua do Cais Inventado, 310',
    zip_code: '88300001',
    area: '47',
  },
  {
    key: 'cerrado',
    trading_name: 'Cerrado Automóveis',
    legal_name: 'Cerrado Fictícia Automóveis Ltda',
    root: '7K4MR2X90001',
    city: 'Goiânia',
    state: 'GO',
    address: 'Avenida Hipotética, 2050',
    zip_code: '74000001',
    area: '62',
  },
  {
    key: 'brasilia',
    parent: 'cerrado',
    trading_name: 'Cerrado Brasília',
    legal_name: 'Cerrado Fictícia Automóveis Ltda',
    root: '7K4MR2X90002',
    city: 'Brasília',
    state: 'DF',
    address: 'Quadra Exemplo 12, bloco B',
    zip_code: '70000001',
    area: '61',
  },
]

interface Colleague {
  email: string
  full_name: string
  role: Role
  dealership: string
  manager?: string
  position: string
}
const colleague = (
  name: string,
  role: Role,
  dealership: string,
  position: string,
  manager?: string,
): Colleague => ({
  email: `${folded(name.split(' ')[0] ?? '')}@${DOMAIN}`,
  full_name: name,
  role,
  dealership,
  position,
  ...(manager && { manager: `${manager}@${DOMAIN}` }),
})
export const COLLEAGUES: readonly Colleague[] = [
  colleague('Helena Prado', 'admin', 'serra', 'Diretora de pós-venda'),
  colleague('Marcos Tavares', 'manager', 'serra', 'Gerente de garantia'),
  colleague('Beatriz Nogueira', 'manager', 'litoral', 'Gerente de garantia'),
  colleague('Otávio Siqueira', 'manager', 'cerrado', 'Gerente de serviços'),
  colleague('Rafael Duarte', 'technician', 'serra', 'Técnico de motor', 'marcos'),
  colleague('Juliana Camargo', 'technician', 'serra', 'Técnica de diagnóstico', 'marcos'),
  colleague('Diego Pacheco', 'technician', 'campinas', 'Técnico de freios', 'marcos'),
  colleague('Larissa Teles', 'technician', 'ribeirao', 'Técnica de elétrica', 'marcos'),
  colleague('Vinícius Amaral', 'technician', 'litoral', 'Técnico de motor', 'beatriz'),
  colleague('Camila Bastos', 'technician', 'itajai', 'Técnica de diagnóstico', 'beatriz'),
  colleague('Thiago Moraes', 'technician', 'cerrado', 'Técnico de elétrica', 'otavio'),
  colleague('Priscila Rezende', 'technician', 'brasilia', 'Técnica de diagnóstico', 'otavio'),
]
/** One person per role, shown to people who try the product. */
const SHOWN = ['helena', 'marcos', 'rafael'].map((name) => `${name}@${DOMAIN}`)
export const shownPeople = () =>
  COLLEAGUES.filter(({ email }) => SHOWN.includes(email)).map(({ email, role, dealership }) => ({
    email,
    role: ROLE_LABEL[role],
    company: DEALERSHIPS.find(({ key }) => key === dealership)?.trading_name ?? '',
  }))

const FIRST = [
  'Ana',
  'Bruno',
  'Carla',
  'Daniel',
  'Eduarda',
  'Felipe',
  'Gabriela',
  'Henrique',
  'Isabela',
  'João',
  'Karina',
  'Leonardo',
  'Mariana',
  'Nelson',
  'Olívia',
  'Paulo',
  'Renata',
  'Sérgio',
  'Tatiane',
  'Ulisses',
  'Valéria',
  'Wagner',
  'Yasmin',
  'Zélia',
  'Antônio',
  'Cecília',
  'Fábio',
  'Luíza',
]
const LAST = [
  'Albuquerque',
  'Barbosa',
  'Cardoso',
  'Dias',
  'Esteves',
  'Ferreira',
  'Gonçalves',
  'Holanda',
  'Justino',
  'Lacerda',
  'Macedo',
  'Nascimento',
  'Oliveira',
  'Peixoto',
  'Queiroz',
  'Ramos',
  'Sampaio',
  'Teixeira',
  'Uchoa',
  'Vasconcelos',
  'Xavier',
]
const FIRMS = [
  'Transportes Aurora',
  'Locadora Horizonte',
  'Padaria Trigo Bom',
  'Construtora Pedra Clara',
  'Clínica Boa Vista',
  'Entregas Rápidas do Vale',
]

/** Appends the first pair of check digits with which the number is valid. */
function closed(body: string, isRight: (whole: string) => boolean) {
  for (let digits = 0; digits < 100; digits++) {
    const whole = body + String(digits).padStart(2, '0')
    if (isRight(whole)) return whole
  }
  throw new Error(`no check digits for ${body}`)
}
export const cnpjOf = (root: string) => closed(root, isCnpj)

/** Businesses founded since July 2026 have letters in theirs: every other one here. */
const rootOf = (n: number) => (n % 2 ? String(n) : n.toString(36).toUpperCase().padStart(8, '0'))

export function customer(random: SeededRandom, area: string) {
  const phone = `${area}9${random.whole(0, 99_999_999).toString().padStart(8, '0')}`
  if (random.happens(0.12)) {
    const firm = random.oneOf(FIRMS)
    return {
      customer_name: `${firm} Ltda`,
      customer_document: cnpjOf(`${rootOf(random.whole(10_000_000, 99_999_999))}0001`),
      customer_phone: phone,
      customer_email: `frota@${folded(firm.split(' ')[1] ?? '')}.example`,
    }
  }
  const [first, last] = [random.oneOf(FIRST), random.oneOf(LAST)]
  const bare = folded(`${first}.${last}`)
  return {
    customer_name: `${first} ${random.happens(0.4) ? `${random.oneOf(LAST)} ` : ''}${last}`,
    customer_document: closed(String(random.whole(100_000_000, 999_999_999)), isCpf),
    customer_phone: phone,
    ...(random.happens(0.7) && { customer_email: `${bare}@mail.example` }),
  }
}
