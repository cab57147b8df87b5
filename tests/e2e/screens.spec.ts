import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { photo } from '../support/media.ts'
import { type Product, startProduct } from '../support/product.ts'
import { initialiseBrands, openOrder, signIn, temporary } from './clerk.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const PICTURES = '.artifacts/screens'

let product: Product
test.beforeAll(async ({ browser }) => {
  product = await startProduct()
  const page = await browser.newPage()
  await signIn(page, product)
  await initialiseBrands(page)
  await openOrder(page, '000123', 'Honda')
  await page.getByRole('tab', { name: /Evidências/ }).click()
  await page.getByRole('button', { name: 'Upload' }).click()
  const dir = await temporary()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await photo(dir), await photo(dir, { name: 'outra', noise: 90 })])
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('Evidências enviadas com sucesso')).toBeVisible()
  await page.getByRole('button', { name: 'Processar' }).first().click()
  await expect(page.getByText('Pronto', { exact: true })).toHaveCount(1, { timeout: 60_000 })
  await page.close()
})
test.afterAll(() => product.stop())

for (const theme of ['dark', 'light'] as const)
  for (const width of [1440, 1280, 390])
    test(`every screen is sound in the ${theme} theme at ${width} px (GEN-2, NAV-1 to NAV-23)`, async ({
      page,
    }) => {
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
      await page.setViewportSize({ width, height: 900 })
      const seen = (name: string) => judge(page, `${name}-${theme}-${width}`)

      await page.goto(`${product.url}/login`)
      await seen('login')
      await signIn(page, product)
      await expect(page.getByText(/^(OS )?000123$/).filter({ visible: true })).toHaveCount(1)
      await seen('lista-os')
      await page.goto(`${product.url}/lista-os?search=nada`)
      await expect(page.getByText('Nenhuma ordem de serviço encontrada')).toBeVisible()
      await seen('lista-os-vazia')
      await page.goto(`${product.url}/brands`)
      await expect(page.getByRole('heading', { name: 'Volkswagen' })).toBeVisible()
      await seen('brands')
      await page.goto(`${product.url}/nova-os`)
      await page.getByRole('button', { name: 'Criar OS' }).click()
      await expect(page.getByText('Número da OS é obrigatório')).toBeVisible()
      await seen('nova-os-erros')
      await page.goto(`${product.url}/os/1`)
      await expect(page.getByRole('heading', { name: 'OS 000123' })).toBeVisible()
      await seen('os-geral')
      await page.goto(`${product.url}/os/1?tab=evidencias`)
      await expect(page.getByText('Pronto', { exact: true })).toBeVisible()
      await seen('os-evidencias')
      await page.getByRole('button', { name: 'Upload' }).click()
      await expect(page.getByText('Pacote final até 10 MB.')).toBeVisible()
      await seen('os-upload')
      await page.goto(`${product.url}/os/999`)
      await expect(page.getByText('Ordem de serviço não encontrada')).toBeVisible()
      await seen('os-ausente')
      await page.goto(`${product.url}/nao-existe`)
      await expect(page.getByText('Essa página ainda não está disponível.')).toBeVisible()
      await seen('nao-existe')
      expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([])
    })

/** No axe violation, nothing wider than the window, and a picture for a person to judge. */
async function judge(page: Page, name: string) {
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null))),
  )
  await page.screenshot({ path: `${PICTURES}/${name}.png` })
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze()
  expect(
    violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.target).join(' ')}`),
  ).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, `${name} is wider than its window`).toBeLessThanOrEqual(0)
}
