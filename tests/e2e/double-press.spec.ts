import { expect, type Page, test } from '@playwright/test'
import { TOTP } from 'otpauth'
import { isExhaustive } from '../support/exhaustive.ts'
import { picture } from '../support/make.ts'
import { accountConfirmations } from './double-press-account.ts'
import { houseConfirmations, queueConfirmations, webhookConfirmations } from './double-press-house.ts'
import { choose, listConfirmations } from './double-press-lists.ts'
import { type Confirmation, furtherConfirmations, inDialog } from './double-press-rows.ts'
import { pressAgain, pressEach, watch } from './double-press-run.ts'
import { workConfirmations } from './double-press-work.ts'
import { apiAs, openSignedIn, PASSWORD, signUp } from './page-helpers.ts'
import { failedJob, openProduct, type Product } from './product.ts'

let product: Product
const orders: Record<string, number> = {}
let company = ''
let owner = {}
test.beforeAll(async () => {
  // By a name, since browsers make passkeys for no IP address.
  const opened = await openProduct()
  product = { ...opened, url: opened.url.replace('127.0.0.1', 'localhost') }
  const { post, patch, token } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  const list = async (path: string) => {
    const reply = await fetch(`${product.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await reply.json()).data as { id: number; trading_name: string }[]
  }
  const [brand] = await list('/brands')
  const [first] = await list('/companies')
  company = first?.trading_name ?? ''
  owner = { brand_id: brand?.id, company_id: first?.id }
  for (let last = 1; last <= 8; last++) {
    const os_number = `00000${last}`
    const order = { os_number, ...owner, vehicle_chassis: '9BGRD08X04G117974' }
    orders[os_number] = (await post('/service-orders', order)).id
  }
  await patch(`/service-orders/${orders['000008']}`, { customer_document: '52998224725' })
  for (const [os_number, ...names] of [
    ['000007', 'um.jpg', 'dois.jpg', 'tres.jpg'],
    ['000008', 'so.jpg'],
  ] as const) {
    const form = new FormData()
    for (const name of names) form.append('files', new Blob([new Uint8Array(await picture())]), name)
    await fetch(`${product.url}/api/v1/evidence/${orders[os_number]}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    await post(`/service-orders/${orders[os_number]}/status/in_analysis`)
  }
  await post('/companies', {
    trading_name: 'Auto Sul',
    legal_name: 'Auto Sul',
    tax_id: '45723174000110',
    type: 'matriz',
  })
  await post('/users', {
    email: 'tina',
    password: PASSWORD,
    full_name: 'Tina Torres',
    company_id: first?.id,
    role: 'manager',
  })
  const lia = await signUp(product, 'Lia Nunes', 'lia@exemplo.com.br')
  await turnOnCodes((await apiAs(product, lia)).token)
  const tina = await apiAs(product, { email: 'tina', password: PASSWORD })
  const me = await fetch(`${product.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
  await tina.patch(`/service-orders/${orders['000001']}`, { responsible_user_id: (await me.json()).id })
})

/** A second factor, for an administrator to remove. */
async function turnOnCodes(token: string) {
  const call = async (procedure: string, input?: object) => {
    const reply = await fetch(`${product.url}/trpc/account.${procedure}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const { result } = await reply.json()
    return result.data
  }
  const { secret } = await call('beginTotp')
  await call('confirmTotp', { code: new TOTP({ secret }).generate() })
}

const at = (os_number: string) => `/os/${orders[os_number]}`

const isPressed = ({ kind }: Confirmation) => isExhaustive || kind !== undefined
const confirmationsOfWork = (): Confirmation[] => [
  ...furtherConfirmations(at('000001')),
  ...listConfirmations(at),
  ...workConfirmations(at),
]
const confirmationsOfHouse = (): Confirmation[] => [
  ...houseConfirmations(),
  ...queueConfirmations(() => failedJob(product)),
  ...webhookConfirmations(openAnOrder),
  ...accountConfirmations(resetLink, () => apiAs(product, product.firstSuperuser)),
]

async function openAnOrder() {
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/service-orders', { os_number: '000009', ...owner })
}

/** The address in the mail that Eva asked for. */
async function resetLink() {
  const { token } = await apiAs(product, product.firstSuperuser)
  const mail = await fetch(`${product.url}/api/v1/password-recovery-html-content/eva@exemplo.com.br`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  return /\/reset-password\?token=[\w-]+/.exec(await mail.text())?.[0] ?? ''
}

/** A device that makes passkeys without asking anybody. */
async function addAuthenticator(page: Page) {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a confirming button of lists, orders and settings that is pressed again acts once and reports once', async ({
  page,
}) => {
  const watched = await watch(page)
  const { calls } = watched
  await addAuthenticator(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await test.step('a deletion that is refused does not deactivate instead', async () => {
    await page.goto(`${product.url}/companies`)
    await choose(page, `Ações de ${company}`, 'Excluir')
    calls.length = 0
    await pressAgain(inDialog(page, 'Excluir'), false)
    await expect(inDialog(page, 'Desativar')).toBeEnabled()
    expect(calls).toEqual(['companies.remove'])
  })
  await pressEach(page, product, watched, confirmationsOfWork().filter(isPressed))
})

test('a confirming button of the house and of sessions that is pressed again acts once and reports once', async ({
  page,
}) => {
  const watched = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await pressEach(page, product, watched, confirmationsOfHouse().filter(isPressed))
})

test('brands are initialised once, however often it is pressed', async ({ page }) => {
  product = await openProduct()
  const { calls, messages } = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/brands`)
  await pressAgain(page.getByRole('button', { name: 'Inicializar Marcas' }), false)
  await expect(page.getByRole('heading', { name: 'Honda' })).toBeVisible()
  expect(calls).toEqual(['brands.initialize'])
  expect(await messages()).toEqual([expect.stringContaining('Marcas inicializadas')])
})
