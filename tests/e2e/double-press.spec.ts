import { expect, type Locator, type Page, test } from '@playwright/test'
import { apiAs, openSignedIn, PASSWORD } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'

let product: Product
const orders: Record<string, number> = {}
test.beforeAll(async () => {
  product = await openProduct()
  const { post, token } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  const list = async (path: string) => {
    const reply = await fetch(`${product.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await reply.json()).data as { id: number }[]
  }
  const [brand] = await list('/brands')
  const [company] = await list('/companies')
  for (const os_number of ['000001', '000002', '000003', '000004', '000005', '000006'])
    orders[os_number] = (
      await post('/service-orders', { os_number, brand_id: brand?.id, company_id: company?.id })
    ).id
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
    company_id: company?.id,
    role: 'manager',
  })
})

const dialog = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]').last()
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const rowOf = (page: Page, text: string) => page.locator('tr[data-row]').filter({ hasText: text })
const choose = async (page: Page, opener: string | RegExp, item: string) => {
  await page.getByRole('button', { name: opener }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

interface Confirmation {
  path: string
  /** Opens what the button confirms, and fills it in. */
  prepare: (page: Page) => Promise<unknown>
  button: (page: Page) => Locator
  /** The one call that it makes, and the one message that reports it. */
  call: string
  message: string
  /** A press after the refusal is another attempt. */
  isRefused?: boolean
}
const at = (os_number: string) => `/os/${orders[os_number]}`

const confirmations = (): Confirmation[] => [
  {
    path: '/lista-os',
    prepare: async (page) => {
      await rowOf(page, '000006').focus()
      await page.keyboard.press('Delete')
    },
    button: (page) => inDialog(page, 'Excluir'),
    call: 'orders.remove',
    message: 'OS excluído(a) com sucesso.',
  },
  {
    path: '/lista-os',
    prepare: async (page) => {
      for (const one of ['000004', '000005'])
        await page.getByRole('grid').getByLabel(`Selecionar OS ${one}`).check()
      await page.keyboard.press('Delete')
    },
    button: (page) => inDialog(page, 'Excluir'),
    call: 'orderList.remove',
    message: '2 ordens de serviço',
  },
  {
    path: '/lista-os',
    prepare: async (page) => {
      for (const one of ['000002', '000003'])
        await page.getByRole('grid').getByLabel(`Selecionar OS ${one}`).check()
      await page.keyboard.press('s')
      await dialog(page).getByText('Colocar em análise').click()
    },
    button: (page) => inDialog(page, 'Mudar status'),
    call: 'orderList.setStatus',
    message: 'Status atualizado com sucesso',
  },
  {
    path: at('000003'),
    prepare: async (page) => {
      await choose(page, /^Alterar status/, 'Cancelar')
      await dialog(page).getByLabel('Motivo').fill('Desistência')
    },
    button: (page) => inDialog(page, 'Cancelar OS'),
    call: 'orders.setStatus',
    message: 'Status atualizado com sucesso',
  },
  {
    path: at('000002'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Editar', exact: true }).click()
      await dialog(page).getByLabel('Descrição do problema').fill('Ruído')
      await inDialog(page, 'Próximo').click()
      await dialog(page).getByLabel('Nome do cliente').fill('José da Silva')
      await dialog(page).getByLabel('Telefone').fill('11987654321')
      await dialog(page).getByLabel('Modelo').fill('Civic')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'orders.change',
    message: 'OS atualizada com sucesso!',
  },
  {
    path: `${at('000002')}/edit`,
    prepare: (page) => page.getByLabel('Diagnóstico').fill('Bucha gasta'),
    button: (page) => page.getByRole('button', { name: 'Salvar', exact: true }),
    call: 'orders.change',
    message: 'OS atualizada com sucesso!',
  },
  {
    path: `${at('000002')}?tab=evidencias`,
    prepare: async () => {},
    button: (page) => page.getByRole('button', { name: 'Gerar dossiê' }),
    call: 'dossier.build',
    message: 'Nenhum arquivo convertido para o dossiê.',
    isRefused: true,
  },
  {
    path: '/companies',
    prepare: (page) => choose(page, 'Ações de Auto Sul', 'Excluir'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'companies.remove',
    message: 'Empresa excluído(a) com sucesso.',
  },
  {
    path: '/admin',
    prepare: (page) => choose(page, 'Ações de Tina Torres', 'Excluir'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'users.remove',
    message: 'Usuário excluído(a) com sucesso.',
  },
  {
    path: '/brands',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Editar/ })
        .first()
        .click()
      await dialog(page).getByLabel('Tamanho total (MB)').fill('33')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'brands.change',
    message: 'Regras salvas',
  },
  {
    path: '/lista-os?status=cancelled',
    prepare: async (page) => {
      await choose(page, 'Vistas', 'Salvar vista…')
      await dialog(page).getByRole('textbox', { name: 'Nome' }).fill('Canceladas')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'orderViews.save',
    message: 'Vista salva',
  },
  {
    path: '/lista-os?status=cancelled',
    prepare: (page) => choose(page, 'Canceladas', 'Excluir «Canceladas»…'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'orderViews.remove',
    message: 'Vista excluído(a) com sucesso.',
  },
  {
    path: '/settings?tab=perfil',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click()
      await page.getByLabel('Nome completo').fill('Ana Administradora')
    },
    button: (page) => page.getByRole('button', { name: 'Salvar', exact: true }),
    call: 'account.change',
    message: 'Usuário atualizado com sucesso.',
  },
]

/** Names of the calls that change something, and every message, from now on. */
async function watch(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/trpc/'))
      calls.push(...pathname.replace('/trpc/', '').split(','))
  })
  await page.addInitScript(() => {
    const messages: string[] = []
    Object.assign(window, { messages })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement)
            for (const toast of [node, ...node.querySelectorAll('.toast')])
              if (toast.matches('.toast')) messages.push(toast.textContent ?? '')
    }).observe(document, { childList: true, subtree: true })
  })
  const messages = () => page.evaluate(() => (window as unknown as { messages: string[] }).messages)
  return { calls, messages }
}

/** Twice at once, and again while what followed from the first press is being drawn. */
const pressAgain = (button: Locator, { isRefused = false }: Pick<Confirmation, 'isRefused'>) =>
  button.evaluate(async (element: HTMLElement, isRefused) => {
    element.click()
    element.click()
    if (isRefused) return
    await new Promise((resolve) => setTimeout(resolve, 40))
    element.click()
  }, isRefused)

test('a confirming button that is pressed again acts once and reports once', async ({ page }) => {
  const { calls, messages } = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  for (const { path, prepare, button, call, message, isRefused } of confirmations())
    await test.step(`${call} on ${path}`, async () => {
      await page.goto(`${product.url}${path}`)
      await prepare(page)
      await expect(button(page)).toBeEnabled()
      calls.length = 0
      await pressAgain(button(page), { isRefused })
      await expect.poll(messages).toEqual([expect.stringContaining(message)])
      await expect(page.locator('[role="dialog"], [role="alertdialog"]')).toHaveCount(0)
      expect(calls).toEqual([call])
      expect(await messages()).toHaveLength(1)
    })
})
