import { expect, type Page, test } from '@playwright/test'
import { button, dialog } from './order-fixture.ts'
import { intercept, notice, openSignedIn } from './page-helpers.ts'
import { openProduct, type Product } from './product.ts'
import { collectPageErrors, screenHelpers } from './screens-fixture.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the duties of the controller: register, incident and time, and how they look (D-87)', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const complaints = collectPageErrors(page)
  const { audit, open, text } = screenHelpers(page, product)
  await openSignedIn(page, product, product.firstSuperuser)

  await open('/lgpd?tab=registro')
  await text(
    'Texto de partida deste produto: revise cada atividade com o encarregado. A primeira alteração salva a versão 1.',
  )
  await audit('lgpd-registro')
  await button(page, 'Editar Responsáveis').click()
  await dialog(page).getByLabel('Controlador').fill('Auto Exemplo Ltda')
  await button(page, 'Salvar').click()
  await expect(notice(page, 'Versão 1 do registro salva.')).toBeVisible()
  await expect(card(page, 'Responsáveis')).toContainText('Auto Exemplo Ltda')
  await button(page, 'Adicionar atividade').press('Enter')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(dialog(page).getByRole('alert').first()).toHaveText('Dê um nome à atividade')
  await expect(dialog(page).getByLabel('Atividade')).toBeFocused()
  await page.keyboard.type('Pesquisa de satisfação')
  for (const field of ['Finalidade', 'Base legal', 'Categorias de dados'])
    await dialog(page).getByLabel(field).fill('Melhorar o atendimento')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(card(page, 'Pesquisa de satisfação')).toContainText('Melhorar o atendimento')
  await page.getByLabel('Versão').selectOption('1')
  await expect(card(page, 'Pesquisa de satisfação')).toHaveCount(0)
  await expect(button(page, 'Editar Responsáveis')).toHaveCount(0)

  await page.getByRole('tab', { name: 'Incidentes' }).click()
  await text('Nenhum incidente registrado')
  await audit('lgpd-incidentes-vazio')
  await button(page, 'Registrar incidente').press('Enter')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(dialog(page).getByRole('alert').first()).toHaveText('Dê um nome ao incidente')
  await audit('lgpd-incidente-erros')
  await dialog(page).getByLabel('Nome do incidente').fill('Notebook furtado')
  await dialog(page).getByLabel('Descrição e causa raiz').fill('Furto no pátio')
  await dialog(page).getByLabel('Conhecido em').fill('2026-01-02T10:00')
  await page.keyboard.press('ControlOrMeta+s')
  const incident = card(page, 'Notebook furtado')
  await expect(incident).toContainText('Prazo vencido')
  await expect(incident).toContainText('07/01/2026 (3 dias úteis)')
  await audit('lgpd-incidentes')
  await button(page, 'Editar Notebook furtado').click()
  await expect(dialog(page).getByLabel('Conhecido em')).toHaveValue('2026-01-02T10:00')
  await dialog(page).getByLabel('Comunicado à ANPD em').fill('2026-01-05T10:00')
  await dialog(page).getByLabel('Comunicado aos titulares em').fill('2026-01-06T10:00')
  await button(page, 'Salvar').click()
  await expect(incident).toContainText('Comunicado')
  await expect(incident).not.toContainText('Prazo vencido')

  await page.getByRole('tab', { name: 'Prazo de guarda' }).click()
  await text('Nenhuma OS passou do prazo.')
  await page.getByLabel('Meses após a conclusão').fill('3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').first()).toHaveText('No mínimo 6 meses')
  await audit('lgpd-guarda')
  await page.getByLabel('Meses após a conclusão').fill('72')
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Prazo de guarda salvo.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Meses após a conclusão')).toHaveValue('72')
  await button(page, 'Ligar anonimização…').press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('Nenhuma OS passou do prazo hoje.')
  await page.keyboard.press('Control+Enter')
  await text('Anonimização ligada: toda noite, os clientes destas OS são anonimizados.')
  await expect(page.getByRole('heading', { name: 'OS além do prazo' })).toBeVisible()
  await audit('lgpd-guarda-ligada')
  await button(page, 'Desligar anonimização').click()
  await text('Esta lista é uma simulação: nada é alterado enquanto a anonimização está desligada.')
  expect(complaints()).toEqual([])

  await intercept(page, /compliance\.register/, (route) => route.abort())
  await open('/lgpd?tab=registro')
  await text('Erro ao carregar o registro')
})
