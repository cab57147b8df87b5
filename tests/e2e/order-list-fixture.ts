import { openAsBlob } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { photo } from '../support/media.ts'
import { apiAs, openSignedIn, PASSWORD } from './page-helpers.ts'
import type { Product } from './product.ts'
import { temporary } from './ui-steps.ts'

const DAY = 86_400_000

/**
 * Thirteen orders of two companies, 000113 the newest: two completed, one in analysis, one pending, one that
 * waits for files, one cancelled, one opened 25 days ago, and one whose package can be downloaded.
 */
export async function seedOrders(product: Product) {
  const { post, patch, token } = await apiAs(product, product.firstSuperuser)
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) => (await fetch(`${product.url}/api/v1${path}`, { headers })).json()
  await post('/brands/initialize')
  const brandOf = (await get('/brands')).data as { id: number; display_name: string }[]
  const companyOf = (await get('/companies')).data as { id: number; trading_name: string; type: string }[]
  const brand = (name: string) => brandOf.find(({ display_name }) => display_name === name)?.id
  const [matriz, filial] = ['matriz', 'filial'].map((type) => companyOf.find((one) => one.type === type)?.id)

  const manager = await post('/users', {
    email: 'gil',
    password: PASSWORD,
    full_name: 'Gil Gestor',
    company_id: filial,
    role: 'manager',
  })
  await post('/users', {
    email: 'tina',
    password: PASSWORD,
    full_name: 'Tina Torres',
    company_id: filial,
    role: 'technician',
    manager_id: manager.id,
  })

  const ids: Record<string, number> = {}
  const open = async (last: number, fields: object = {}) => {
    const os_number = `0001${String(last).padStart(2, '0')}`
    const order = {
      os_number,
      brand_id: brand('Honda'),
      company_id: matriz,
      customer_name: `Cliente ${last}`,
    }
    ids[os_number] = (await post('/service-orders', { ...order, ...fields })).id
    return ids[os_number]
  }
  for (const [last, status] of [
    [1, 'completed'],
    [2, 'completed'],
    [3, 'in_analysis'],
    [4, 'pending'],
    [5, 'pending_upload'],
    [6, 'cancelled'],
  ] as const)
    await post(`/service-orders/${await open(last)}/status/${status}`)
  const old = await open(7, { service_value: 90 })
  await patch(`/service-orders/${old}`, { opened_at: new Date(Date.now() - 25 * DAY).toISOString() })
  await open(8, { company_id: filial, brand_id: brand('Toyota') })
  await open(9, { customer_name: 'Ângela Conceição', vehicle_plate: 'ABC1C34' })
  await open(10, { company_id: filial, technician_user_id: manager.id })
  await open(11)
  await open(12)
  const packed = await open(13, {
    customer_name: 'Maria Aparecida de Souza',
    vehicle_model: 'Civic Touring',
    vehicle_year: 2022,
    vehicle_plate: 'BRA2E19',
    service_value: 1000.5,
    parts_value: 234,
  })

  const form = new FormData()
  form.append('category', 'chassi')
  form.append('files', await openAsBlob(await photo(await temporary())), 'chassi.jpg')
  await fetch(`${product.url}/api/v1/evidence/${packed}/upload`, { method: 'POST', headers, body: form })
  await post(`/evidence-conversion/${packed}/convert-all`)
  await expect
    .poll(async () => (await get(`/service-orders/${packed}`)).conversion_status, { timeout: 60_000 })
    .toBe('available')
  return ids
}

export async function openList(page: Page, product: Product, who = product.firstSuperuser) {
  await openSignedIn(page, product, who)
  await page.goto(`${product.url}/lista-os`)
  await expect(rows(page).first()).toBeVisible()
}

export const dialog = (page: Page) => page.getByRole('dialog')
export const confirmDialog = (page: Page) => page.getByRole('alertdialog')
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const grid = (page: Page) => page.getByRole('grid', { name: 'Ordens de serviço' })
export const rows = (page: Page) => grid(page).locator('tbody tr[data-row]')
export const rowOf = (page: Page, os_number: string) => rows(page).filter({ hasText: os_number })
/** The order numbers on the screen, from the top. */
export const numbers = (page: Page) => rows(page).locator('.order-number')
export const card = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Resumo' }).getByRole('button', { name })
export const bulkBar = (page: Page) => page.getByRole('region', { name: 'Ações em lote' })

/** Chooses values of a filter, or takes them back, by mouse; the menu stays open until it is closed. */
export async function chooseFilter(page: Page, label: string, ...values: string[]) {
  await button(page, new RegExp(`^${label}: `)).click()
  const menu = page.getByRole('menu', { name: label })
  for (const value of values) await menu.getByRole('menuitemcheckbox', { name: value, exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
}

/** 113 to 104, as the list shows them. */
export const descendingOrderNumbers = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, i) => `000${from - i}`)
