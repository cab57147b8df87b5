import { expect, test } from '@playwright/test'
import { openSignedIn, PASSWORD } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { add, dialog, hireTeam, openUsers, rowOf, rows, search, tab } from './users-screen.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
  await hireTeam(product)
})

test('the list shows each user and has pages (ADM-1 to ADM-11, ADM-15 to ADM-17, CON-11, ROLE-4, ROLE-6)', async ({
  page,
}) => {
  await openUsers(page, product)
  await expect(page.getByText('14 usuários')).toBeVisible()
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByRole('columnheader')).toHaveText([
    'Nome / Usuário',
    'CPF',
    'Empresa',
    'Função',
    'Departamento / Cargo',
    'Último acesso',
    'Status',
    'Ações',
  ])
  await search(page).fill('52998224725')
  await expect(rows(page)).toHaveText([/Gil Gestor/])
  await search(page).fill('gil')
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/search=gil/)
  const cells = rowOf(page, 'Gil Gestor').getByRole('gridcell')
  await expect(cells.nth(0)).toContainText('gil')
  await expect(cells.nth(1)).toHaveText('529.982.247-25')
  await expect(cells.nth(2)).toHaveText('Auto Sul')
  await expect(cells.nth(3)).toHaveText('Gestor')
  await expect(cells.nth(3).locator('.badge')).toHaveClass(/badge-orange/)
  await expect(cells.nth(5)).toHaveText('Nunca')
  await expect(cells.nth(6)).toHaveText('Ativo')

  await search(page).fill('Número 01')
  const inactiveRow = rowOf(page, 'Técnico Número 01')
  await expect(inactiveRow).toContainText('Oficina')
  await expect(inactiveRow).toContainText('Mecânico')
  await expect(inactiveRow).toContainText('Inativo')
  await expect(inactiveRow.locator('.badge')).toHaveClass(/badge-blue/)
  await search(page).fill('alda')
  await expect(rowOf(page, 'Alda Chefe')).toContainText('Hoje')
  await expect(rowOf(page, 'Alda Chefe').locator('.badge')).toHaveClass(/badge-red/)
  await search(page).fill(product.firstSuperuser.email)
  const own = rowOf(page, product.firstSuperuser.email)
  await expect(own).toContainText('Você')
  await expect(own).toContainText('Super Admin')
  await expect(own.getByRole('button', { name: /^Ações de/ })).toBeDisabled()
  await own.click()
  await expect(dialog(page)).toHaveCount(0)

  await search(page).fill('')
  await expect(rows(page)).toHaveCount(10)
  await page.getByRole('button', { name: 'Página 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows(page)).toHaveCount(4)
  await page.reload()
  await expect(rows(page)).toHaveCount(4)
  await search(page).fill('Técnico')
  await expect(page).not.toHaveURL(/page=/)
  await expect(rows(page)).toHaveCount(10)
  await page.goto(`${product.url}/admin?page=abc&search=`)
  await expect(page.getByText('14 usuários')).toBeVisible()
})

test('the screen is for administrators, the menu entry for superusers (ROLE-1 to ROLE-5, NAV-14)', async ({
  page,
}) => {
  await openSignedIn(page, product, { email: 'gil', password: PASSWORD })
  await page.goto(`${product.url}/admin`)
  await expect(page.getByRole('heading', { name: 'Página não disponível' })).toBeVisible()
  await openSignedIn(page, product, { email: 'alda', password: PASSWORD })
  await page.goto(`${product.url}/admin?search=${product.firstSuperuser.email}`)
  await expect(rowOf(page, product.firstSuperuser.email)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Usuários' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Ações de/ })).toHaveCount(0)
  await add(page).click()
  await tab(page, 'Segurança').click()
  await expect(dialog(page).getByRole('switch', { name: 'Usuário ativo' })).toBeChecked()
  await expect(dialog(page).getByRole('switch', { name: 'Super Administrador' })).toHaveCount(0)
})
