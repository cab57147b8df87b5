import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { iphoneHeic, pdf, photo, video } from '../support/media.ts'
import type { Product } from './product.ts'

export const execFileAsync = promisify(execFile)
export const temporary = () => mkdtemp(join(tmpdir(), 'garantia-e2e-'))

/** Six real files from a workshop, including every kind that is error-prone elsewhere. */
export async function phoneFiles(dir: string) {
  return [
    await photo(dir, {
      name: 'doze-megapixels',
      width: 4032,
      height: 3024,
      noise: 60,
      taken: '2026:11:20 10:00:00',
      gps: true,
    }),
    await photo(dir, { name: 'de-lado', width: 1600, height: 1200, orientation: 6 }),
    await iphoneHeic(dir),
    await photo(dir, { name: 'tela', format: 'png', width: 1280, height: 720 }),
    await pdf(dir),
    await video(dir, { name: 'teste-de-rodagem', seconds: 8, noise: 10, codec: 'mpeg4' }),
  ]
}

export async function signIn(page: Page, { url, firstSuperuser }: Product) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email ou nome de usuário').fill(firstSuperuser.email)
  await page.getByLabel('Senha', { exact: true }).fill(firstSuperuser.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

export async function initialiseBrands(page: Page) {
  await page.getByRole('link', { name: 'Marcas' }).click()
  await expect(page.getByRole('heading', { name: 'Marcas e Configurações' })).toBeVisible()
  const initialise = page.getByRole('button', { name: 'Inicializar Marcas' })
  const card = page.getByRole('heading', { name: 'Volkswagen' })
  await expect(initialise.or(card).first()).toBeVisible()
  if (await initialise.isVisible()) {
    await initialise.click()
    await expect(page.getByText('Marcas inicializadas')).toBeVisible()
  }
  await expect(card).toBeVisible()
}

export async function openOrder(page: Page, os_number: string, brand: string) {
  await page.getByRole('link', { name: 'Lista OS' }).click()
  await page.getByRole('button', { name: 'Nova OS' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Número da OS').fill(os_number)
  await form.getByLabel('Marca').selectOption({ label: brand })
  await form.getByLabel('Empresa').selectOption({ label: 'Concessionária Exemplo' })
  await form.getByLabel('Descrição do problema').fill('Ruído na suspensão dianteira')
  await form.getByRole('button', { name: 'Próximo' }).click()
  await form.getByLabel('Nome').fill('José da Silva')
  await form.getByLabel('Telefone').fill('11987654321')
  await form.getByLabel('Modelo').fill('Civic')
  await form.getByLabel('Placa').fill('abc1d23')
  await form.getByLabel('Chassi').fill('9bgrd08x04g117974')
  await form.getByRole('button', { name: 'Criar OS' }).click()
  await expect(page.getByText('OS criada com sucesso!')).toBeVisible()
  await expect(page.getByRole('heading', { name: `OS ${os_number}` })).toBeVisible()
}
