import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { cnpj } from '../support/make.ts'
import { pdf, photo, video } from '../support/media.ts'
import { COMPLETE_ORDER, createOrderFixture, type OrderFixture } from './order-fixture.ts'
import { intercept, openScreen, PASSWORD, signUp } from './page-helpers.ts'
import type { Product } from './product.ts'
import { temporary } from './ui-steps.ts'
import { auditAllViewports, type Circumstances } from './visual-audit.ts'

const DAY = 86_400_000
/** A name of sixty characters with no break opportunity after the second word. */
export const LONG_NAME = 'Maria Aparecida dos Santos Albuquerque Wanderley-Cavalcanti'
const LONG_EMAIL = 'maria.aparecida.dos.santos.albuquerque@concessionaria-pernambucana.exemplo.com.br'
const LONG_COMPANY = 'Concessionária Pernambucana de Veículos e Peças Automotivas'
/** Names longer than 180 bytes are shortened by the upload; a screen never gets a longer one. */
const LONG_FILE = `${'fotografia-do-chassi-gravado-no-vidro-dianteiro-'.repeat(6)}final.jpg`

const STATUSES = ['created', 'pending_upload', 'in_analysis', 'pending', 'completed', 'cancelled'] as const
const PEOPLE = ['Maria de Souza', 'José da Silva', 'Ângela Conceição', 'Antônio Pereira', 'Sônia Gonçalves']
const VEHICLES = ['Civic Touring', 'HR-V EXL', 'City Hatchback', 'Fit LX']

/** Companies and users, some with every text at its maximum length. */
interface SeededPeople {
  fixture: OrderFixture
  far: { id: number }
  /** Somebody of that company with the longest name. */
  lead: { id: number }
}
export async function seedPeople(product: Product): Promise<SeededPeople> {
  const fixture = await createOrderFixture(product)
  const { post } = fixture
  const far = await post('/companies', {
    trading_name: LONG_COMPANY,
    legal_name: `${LONG_COMPANY} Limitada em Recuperação`,
    tax_id: cnpj(),
    type: 'matriz',
    email: LONG_EMAIL,
    address: 'Avenida Governador Agamenon Magalhães, 12345, bloco B, sala 1207',
    city: 'Vila Bela da Santíssima Trindade',
    state: 'PE',
  })
  for (let i = 0; i < 10; i++)
    await post('/companies', {
      trading_name: `Auto ${['Sul', 'Norte', 'Leste', 'Oeste', 'Centro'][i % 5]} ${i + 1}`,
      legal_name: 'Auto Veículos e Peças Ltda',
      tax_id: cnpj(),
      type: i % 3 ? 'filial' : 'matriz',
      parent_id: i % 3 ? far.id : null,
      is_active: i !== 4,
    })
  const lead = await post('/users', {
    full_name: LONG_NAME,
    email: LONG_EMAIL,
    password: PASSWORD,
    company_id: far.id,
    role: 'manager',
    cpf: '52998224725',
    department: 'Departamento de Garantia e Pós-Venda Regional',
    position: 'Gerente regional de pós-venda',
  })
  await post('/users', {
    full_name: 'Ana Inativa',
    email: 'ana',
    password: PASSWORD,
    company_id: far.id,
    role: 'admin',
    is_active: false,
  })
  const bia = await signUp(product, 'Bia Lima', 'bia@exemplo.com.br')
  await post(`/password-recovery/${bia.email}`)
  return { fixture, far, lead }
}

/** A hundred orders in every state, over the last weeks. */
export async function seedOrderList({ fixture }: SeededPeople) {
  const ids: number[] = []
  for (let i = 0; i < 100; i++) {
    const { id } = await fixture.order({
      os_number: `000${200 + i}`,
      brand_id: fixture.brand(['Honda', 'Toyota', 'Fiat', 'Honda', 'BYD'][i % 5] ?? ''),
      customer_name: PEOPLE[i % 5],
      vehicle_model: VEHICLES[i % 4],
      vehicle_year: 2016 + (i % 10),
      vehicle_plate: i % 7 ? `BRA${i % 10}C${String(i).padStart(2, '0')}` : null,
      service_value: i * 37.5,
      parts_value: i % 3 ? i * 113.4 : null,
    })
    ids.push(id)
    const status = STATUSES[i % STATUSES.length]
    if (status !== 'created') await fixture.post(`/service-orders/${id}/status/${status}`)
  }
  await fixture.patch(`/service-orders/${ids[96]}`, {
    opened_at: new Date(Date.now() - 26 * DAY).toISOString(),
  })
}

/** A typical order, and one with every text at its maximum length. */
export async function seedOrders({ fixture, far, lead }: SeededPeople) {
  const { id: plain } = await fixture.order({ os_number: '000123', ...COMPLETE_ORDER })
  const { id: long } = await fixture.order({
    os_number: '999999',
    ...COMPLETE_ORDER,
    brand_id: fixture.brand('Volkswagen'),
    company_id: far.id,
    customer_name: LONG_NAME,
    customer_email: LONG_EMAIL,
    vehicle_model: 'Civic Touring 1.5 Turbo Híbrido Automático CVT Edição Especial',
    vehicle_color: 'Azul-petróleo metálico perolizado',
    vehicle_mileage: 2_000_000,
    vehicle_value: 99_999_999.99,
    technician_name: LONG_NAME,
    responsible_user_id: lead.id,
    problem_description: `${'Ruído na suspensão dianteira ao passar em lombadas. '.repeat(12)}\n\n${'sem-espaços-'.repeat(20)}`,
    service_value: 99_999_999.99,
    parts_value: 99_999_999.99,
  })
  return { plain, long }
}

/** Evidence of every kind: converted at the first order except the last file, unconverted at the other. */
export async function seedEvidence(
  { url }: Product,
  { fixture }: SeededPeople,
  { plain, long }: Awaited<ReturnType<typeof seedOrders>>,
) {
  const send = async (order: number, path: string, name = basename(path), category = 'defeito') => {
    const form = new FormData()
    form.append('category', category)
    form.append('description', 'Ruído gravado com o veículo parado')
    form.append('files', new Blob([await readFile(path)]), name)
    const reply = await fetch(`${url}/api/v1/evidence/${order}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.token}` },
      body: form,
    })
    expect(reply.status, await reply.text()).toBe(201)
  }
  const dir = await temporary()
  await send(plain, await photo(dir, { name: 'chassi', noise: 60 }), 'chassi.jpg', 'chassi')
  await send(plain, await photo(dir, { name: 'painel', noise: 90 }), 'painel.jpg', 'odometro')
  await send(plain, await video(dir, { name: 'ruido', seconds: 2 }), 'ruido.mp4')
  await send(plain, await pdf(dir), 'laudo.pdf', 'teste')
  await fixture.post(`/evidence-conversion/${plain}/convert-all`)
  await untilConverted(fixture, plain)
  await send(plain, await photo(dir, { name: 'nova', noise: 40 }), 'nova.jpg', 'pecas')
  await send(long, await photo(dir, { name: 'longa', noise: 70 }), LONG_FILE)
}

/** Waits as long as the files get on: their low priority makes it minutes on a busy machine. */
async function untilConverted({ get }: OrderFixture, order: number) {
  const progress = async () => {
    const { evidence_files } = await get(`/evidence/${order}/evidence`)
    const { conversion_status } = await get(`/service-orders/${order}`)
    return [conversion_status, ...evidence_files.map(({ status }: { status: string }) => status)].join(' ')
  }
  for (let now = await progress(); !now.startsWith('available'); now = await progress())
    await expect.poll(progress, { timeout: 90_000 }).not.toBe(now)
}

const asksOneOf = (procedures: readonly string[]) => (url: URL) =>
  url.pathname.startsWith('/trpc/') &&
  url.pathname
    .slice('/trpc/'.length)
    .split(',')
    .some((name) => procedures.includes(name))

/** Pages that must reload a screen, since the query cache would be shown. */
const blocked = new WeakSet<Page>()
/** From now on these procedures never answer, or fail. */
export async function blockProcedures(page: Page, procedures: readonly string[], how: 'never' | 'error') {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  blocked.add(page)
  await intercept(page, asksOneOf(procedures), (route) => (how === 'error' ? route.abort() : undefined))
}

/** From now on all procedures answer again. */
export async function unblockProcedures(page: Page) {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  blocked.delete(page)
}

/** From now on these procedures do not answer, until the function that is returned makes them fail. */
export async function holdProcedures(page: Page, procedures: readonly string[]) {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>()
  await intercept(page, asksOneOf(procedures), async (route) => {
    await failed
    await route.abort().catch(() => null)
  })
  return fail
}

/** The errors of the page so far, without those that the test causes on purpose. */
export function collectPageErrors(page: Page) {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return (expected = '404 (Not Found)') => complaints.filter((text) => !text.includes(expected))
}

/** Shared steps of the visual audit tests. */
export function screenHelpers(page: Page, { url }: Pick<Product, 'url'>) {
  const button = (name: string | RegExp) => page.getByRole('button', { name }).filter({ visible: true })
  return {
    audit: (name: string, circumstances?: Circumstances) => auditAllViewports(page, name, circumstances),
    open: (path: string) => (blocked.has(page) ? page.goto(url + path) : openScreen(page, url + path)),
    text: (text: string | RegExp) =>
      expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible(),
    button,
    dialog: page.getByRole('dialog'),
    confirmDialog: page.getByRole('alertdialog'),
    /** Opens a menu, again when another width has moved its button. */
    menu: (opener: string | RegExp) => async () => {
      if ((await page.getByRole('menu').count()) > 0) await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await button(opener).first().click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
    },
  }
}
