import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrandView } from '@garantia/shared/brands/schema'
import { expect, type Page, test } from '@playwright/test'
import {
  apiAs,
  expectFieldError,
  notice,
  openSignedIn,
  PASSWORD,
  recordCalls,
  tabToAndPress,
} from './page-helpers.ts'
import { demote, openProduct, type Product } from './product.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const cards = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) })
const card = (page: Page, brand: string) =>
  cards(page).filter({ has: page.getByRole('heading', { name: brand, exact: true }) })
/** The value of a card's field. */
const fact = (page: Page, brand: string, name: string) =>
  card(page, brand)
    .locator('dt')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')

async function readBrand(name: string): Promise<BrandView> {
  const { token } = await apiAs(product, product.firstSuperuser)
  const reply = await fetch(`${product.url}/api/v1/brands/`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await reply.json()) as { data: BrandView[] }
  const found = data.find(({ display_name }) => display_name === name)
  if (!found) throw new Error(`${name} não existe`)
  return found
}

test('an empty installation is initialised once, and its cards show every rule (BRD-1 to BRD-12, D-32, D-33)', async ({
  page,
  context,
}) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/brands`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Marcas e Configurações')
  await expect(page.getByText(/^Inicialize as marcas para começar/)).toBeVisible()

  await test.step('failures show the detail of the server when there is one', async () => {
    await context.setOffline(true)
    await button(page, 'Inicializar Marcas').click()
    await expect(notice(page, 'Erro ao inicializar marcas', 'Erro desconhecido')).toBeVisible()
    await context.setOffline(false)
    const second = await apiAs(product, product.firstSuperuser)
    const { id } = await second.post('/users', {
      full_name: 'Bruna Breve',
      email: 'bruna',
      password: PASSWORD,
      role: 'admin',
      company_id: (await aCompany()).id,
    })
    const other = await context.browser()?.newPage()
    if (!other) throw new Error('sem navegador')
    await openSignedIn(other, product, { email: 'bruna', password: PASSWORD })
    await other.goto(`${product.url}/brands`)
    await expect(button(other, 'Inicializar Marcas')).toBeVisible()
    await demote(product, id)
    await button(other, 'Inicializar Marcas').click()
    await expect(
      notice(other, 'Erro ao inicializar marcas', 'Você não tem permissão para esta ação.'),
    ).toBeVisible()
    await other.close()
  })

  await button(page, 'Inicializar Marcas').click()
  await expect(notice(page, 'Marcas inicializadas', '11 marcas criadas · 0 empresas criadas')).toBeVisible()
  await expect(cards(page)).toHaveCount(11)
  await expect(button(page, 'Inicializar Marcas')).toHaveCount(0)
  await expect(page.getByText(/^Inicialize as marcas para começar/)).toHaveCount(0)
  await expect(page.getByText('Valores de exemplo. Confira com a montadora.')).toHaveCount(11)

  await expect(card(page, 'Honda').getByText('Ativa', { exact: true })).toBeVisible()
  for (const [brand, name, text] of [
    ['Honda', 'Tamanho total', '10 MB'],
    ['Honda', 'Vídeos', 'até 1'],
    ['Honda', 'Evidências', 'até 10'],
    ['Honda', 'PowerPoint', '5 MB'],
    ['Renault', 'PowerPoint', '—'],
    ['Fiat', 'Formatos de vídeo', 'MP4MOV'],
    ['Fiat', 'Formatos de imagem', 'JPG'],
    ['Fiat', 'Exemplo de nome', 'OS123456_defeito_01.jpg'],
    ['Toyota', 'Tempo de processamento', '45 segundos'],
    ['Volkswagen', 'Tempo de processamento', '2 minutos'],
    ['Volkswagen', 'Retenção', '2 anos'],
    ['Renault', 'Retenção', '1 ano'],
    ['Chevrolet', 'Retenção', '36 meses'],
    ['BYD', 'Retenção', 'Não especificado'],
    ['Honda', 'Sistema de envio', 'E-mail ao analista (exemplo)'],
    ['Ford', 'Sistema de envio', 'Não especificado'],
  ] as const)
    await expect(fact(page, brand, name), `${brand}: ${name}`).toHaveText(text)

  const { patch } = await apiAs(product, product.firstSuperuser)
  await patch(`/brands/${(await readBrand('Ford')).id}`, { is_active: false, max_file_size_mb: 12 })
  await button(page, 'Atualizar').click()
  await expect(card(page, 'Ford').getByText('Inativa', { exact: true })).toBeVisible()
  await expect(fact(page, 'Ford', 'Tamanho total')).toHaveText('12 MB')
})

test('every rule of a brand can be edited, is validated and is saved (D-33, BRD-4 to BRD-10)', async ({
  page,
}) => {
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/brands`)
  await button(page, 'Editar regras de Nissan').click()
  const drawer = page.getByRole('dialog')
  const field = (label: string) => drawer.getByLabel(label, { exact: true })
  const group = (legend: string) => drawer.getByRole('group', { name: legend })
  const format = (legend: string, name: string) => group(legend).getByText(name, { exact: true })

  await format('Formatos de vídeo', 'MP4').click()
  await field('Tamanho total (MB)').fill('0')
  await field('Retenção (meses)').fill('doze')
  await field('Endereço do sistema').fill('portal')
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  await expectFieldError(field('Tamanho total (MB)'), 'No mínimo 1')
  await expectFieldError(field('Retenção (meses)'), 'Use um número inteiro')
  await expectFieldError(field('Endereço do sistema'), 'Informe um endereço que comece com https://')
  await expectFieldError(group('Formatos de vídeo'), 'Inclua MP4 ou MOV: é o que a conversão grava')
  await expect(drawer).toBeVisible()

  for (const [label, text] of [
    ['Nome da marca', 'Nissan Brasil'],
    ['Tamanho total (MB)', '33'],
    ['Máximo de arquivos', '18'],
    ['Máximo de vídeos', '3'],
    ['Duração de vídeo (s)', '40'],
    ['Lado maior da foto (px)', '1600'],
    ['PowerPoint (MB)', ''],
    ['Modelo de nome', '{marca}-{os}-{categoria}-{seq2}'],
    ['Placa do Veículo', '2'],
    ['Odômetro', ''],
    ['Sistema de envio', 'Portal novo'],
    ['Endereço do sistema', 'https://portal.exemplo.com.br/garantia'],
    ['Processamento (s)', '61'],
    ['Retenção (meses)', '18'],
  ] as const)
    await field(label).fill(text)
  await format('Formatos de vídeo', 'WMV').click()
  await format('Formatos de vídeo', 'MOV').click()
  await format('Formatos de imagem', 'PNG').click()
  await field('Concluir OS com pendências').selectOption({ label: 'Bloquear' })
  for (const label of ['Converter automaticamente após o envio', 'Valores de exemplo'])
    await drawer.getByText(label, { exact: true }).click()
  await expect(drawer.getByText(/-123456-defeito-01\.jpg$/)).toBeVisible()
  await expect(drawer.getByText('Nenhuma OS desta marca está aberta.')).toBeVisible()
  const sent = recordCalls(page, 'brands.change')
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  await expect(
    notice(page, 'Regras salvas', 'As OS abertas de Nissan Brasil estão sendo conferidas de novo.'),
  ).toBeVisible()
  expect(sent).toHaveLength(1)

  const kept = await readBrand('Nissan Brasil')
  expect(kept).toMatchObject({
    max_file_size_mb: 33,
    max_evidence_count: 18,
    max_video_count: 3,
    max_video_seconds: 40,
    image_max_px: 1600,
    max_powerpoint_size_mb: null,
    accepted_video_formats: ['mov'],
    accepted_image_formats: ['jpg', 'png'],
    naming_template: '{marca}-{os}-{categoria}-{seq2}',
    submission_system: 'Portal novo',
    submission_url: 'https://portal.exemplo.com.br/garantia',
    processing_time_seconds: 61,
    storage_retention_months: 18,
    completion_policy: 'bloquear',
    auto_convert: true,
    is_sample: false,
    is_active: true,
  })
  expect(kept.required_categories).toContainEqual({ category: 'placa', min: 2 })
  expect(kept.required_categories.map(({ category }) => category)).not.toContain('odometro')
  await expect(fact(page, 'Nissan Brasil', 'Tempo de processamento')).toHaveText('1 minuto')
  await expect(fact(page, 'Nissan Brasil', 'Retenção')).toHaveText('18 meses')
  await expect(card(page, 'Nissan Brasil')).not.toContainText('Valores de exemplo')
})

test('a brand of any house is added, switched off and carried as a file (D-65)', async ({ page }) => {
  const { post } = await apiAs(product, product.firstSuperuser)
  await post('/brands/initialize')
  const fiat = await readBrand('Fiat')
  const { id: company_id } = await aCompany('19131243000197')
  await post('/service-orders', { os_number: '000777', brand_id: fiat.id, company_id })
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/brands`)
  const dialog = page.getByRole('dialog')

  await test.step('a copy, whose rules open at once', async () => {
    await button(page, 'Mais ações de Fiat').click()
    await page.getByRole('menuitem', { name: 'Copiar para outra marca' }).click()
    await dialog.getByLabel('Nome').fill('Peugeot')
    await expect(dialog.getByLabel('Código')).toHaveValue('peugeot')
    await dialog.getByRole('button', { name: 'Criar marca' }).click()
    await expect(page.getByRole('heading', { name: 'Regras de Peugeot' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar' }).click()
    await notice(page, 'Marca criada').getByRole('button', { name: 'Fechar' }).click()
    await expect(fact(page, 'Peugeot', 'Formatos de vídeo')).toHaveText('MP4MOV')
  })

  await test.step('«Nova marca», without rules to copy, by keyboard', async () => {
    await tabToAndPress(page, button(page, 'Nova marca'))
    await expect(dialog.getByLabel('Nome')).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expectFieldError(dialog.getByLabel('Nome'), 'Nome é obrigatório')
    await page.keyboard.type('Kia Motors', { delay: 20 })
    await expect(dialog.getByLabel('Nome')).toHaveValue('Kia Motors')
    await expect(dialog.getByLabel('Código')).toHaveValue('kia-motors')
    await page.keyboard.press('Control+Enter')
    await expect(notice(page, 'Marca criada', 'Confira as regras antes de abrir OS.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Regras de Kia Motors' })).toBeVisible()
    await expect(dialog.getByLabel('Nome da marca')).toHaveValue('Kia Motors')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(card(page, 'Kia Motors')).toContainText('Valores de exemplo. Confira com a montadora.')
  })

  await test.step('switching off says how many orders are open', async () => {
    await button(page, 'Mais ações de Fiat').click()
    await page.getByRole('menuitem', { name: 'Desativar' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Desativar Fiat?' })
    await expect(asked.getByText(/^A OS aberta desta marca continua como está/)).toBeVisible()
    await asked.getByRole('button', { name: 'Desativar' }).click()
    await expect(card(page, 'Fiat').getByText('Inativa', { exact: true })).toBeVisible()
  })

  await test.step('a file says what it would change, and where it is wrong', async () => {
    await button(page, 'Mais ações de Peugeot').click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Exportar regras' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('regras-peugeot.json')
    const text = await readFile(await download.path(), 'utf8')
    await button(page, 'Arquivo').click()
    await page.getByRole('menuitem', { name: 'Importar regras…' }).click()
    const choose = (buffer: string) =>
      dialog
        .getByLabel('Arquivo de regras')
        .setInputFiles({ name: 'regras.json', mimeType: 'application/json', buffer: Buffer.from(buffer) })
    await choose(text.replace('{os}', '{vin}'))
    await expect(
      dialog.getByText('marca 1 (peugeot), naming_template: Variável desconhecida: {vin}'),
    ).toBeVisible()
    await choose(text)
    await expect(dialog.getByText('Nada a mudar: as regras já são estas.')).toBeVisible()
    await choose(text.replace('"max_video_count": 1', '"max_video_count": 4'))
    await expect(dialog.getByText('Máximo de vídeos: 1 → 4')).toBeVisible()
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag22aa'])
      .analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
    await dialog.getByRole('button', { name: 'Importar' }).click()
    await expect(fact(page, 'Peugeot', 'Vídeos')).toHaveText('até 4')
  })
})

test('a warning stays three seconds (GEN-8, GEN-10)', async ({ page }) => {
  await openSignedIn(page, product, product.firstSuperuser)
  await page.clock.install()
  await page.goto(`${product.url}/lista-os`)
  await button(page, 'Nova OS').first().click()
  await expect(button(page, 'Próximo')).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await button(page, 'Próximo').click()
  const warning = notice(page, 'Campos obrigatórios')
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(warning).toBeVisible({ timeout: 100 })
  }).toPass()
  await page.clock.runFor(2_600)
  await expect(warning).toBeVisible()
  await page.clock.runFor(700)
  await page.clock.resume()
  await expect(warning).toHaveCount(0, { timeout: 3_000 })
})

/** Initialising brings sample companies only where there is no company. */
async function aCompany(tax_id = '11444777000161') {
  const { post } = await apiAs(product, product.firstSuperuser)
  return post('/companies', {
    trading_name: 'Auto Sul',
    legal_name: 'Auto Sul Veículos Ltda',
    tax_id,
    type: 'matriz',
    is_active: true,
  })
}
