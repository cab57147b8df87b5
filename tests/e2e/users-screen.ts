import { expect, type Page } from '@playwright/test'
import { apiAs, notice, openSignedIn, PASSWORD } from './page-helpers.ts'
import type { Product } from './product.ts'

export const dialog = (page: Page) => page.getByRole('dialog')
export const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
export const tab = (page: Page, name: string) => dialog(page).getByRole('tab', { name })
export const rows = (page: Page) => page.getByRole('grid', { name: 'Usuários' }).locator('tbody tr[data-row]')
export const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text })
export const search = (page: Page) => page.getByLabel('Buscar usuários')
export const add = (page: Page) => page.getByRole('button', { name: 'Adicionar Usuário' })
export const save = (page: Page) => dialog(page).getByRole('button', { name: 'Salvar' })
export const actionsOf = (page: Page, name: string) =>
  page.getByRole('grid').getByRole('button', { name: `Ações de ${name}`, exact: true })
export const invalidTabNotice = (page: Page, title: string) =>
  notice(page, 'Erro', `Verifique os campos na aba ${title}`)

export async function openUsers(page: Page, product: Product, query = '') {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/admin${query}`)
  await expect(page.getByRole('heading', { name: 'Administração de Usuários' })).toBeVisible()
  await expect(rows(page).first()).toBeVisible()
}

/**
 * A manager, an administrator who has signed in before, and eleven technicians, the first of them inactive.
 */
export async function hireTeam(product: Product) {
  const { post } = await apiAs(product, product.firstSuperuser)
  const matriz = { trading_name: 'Auto Sul', legal_name: 'Auto Sul Ltda', tax_id: '11222333000181' }
  const company_id = (await post('/companies', { ...matriz, type: 'matriz' })).id
  const person = { company_id, password: PASSWORD }
  const manager_id = (
    await post('/users', {
      ...person,
      full_name: 'Gil Gestor',
      email: 'gil',
      role: 'manager',
      cpf: '52998224725',
    })
  ).id
  await post('/users', { ...person, full_name: 'Alda Chefe', email: 'alda', role: 'admin' })
  await Promise.all(
    Array.from({ length: 11 }, (_, i) =>
      post('/users', {
        ...person,
        full_name: `Técnico Número ${String(i + 1).padStart(2, '0')}`,
        email: `tecnico${i + 1}@exemplo.com.br`,
        role: 'technician',
        manager_id,
        ...(i === 0 && { department: 'Oficina', position: 'Mecânico', is_active: false }),
      }),
    ),
  )
  await apiAs(product, { email: 'alda', password: PASSWORD })
  return { company_id, manager_id }
}
