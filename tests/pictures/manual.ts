import type { Page } from '@playwright/test'
import sharp from 'sharp'

interface Scene {
  page: Page
  url: string
  /** An order whose package is ready, one that still lacks files, one with a sealed dossier, and one with claims. */
  ready: number
  lacking: number
  completed: number
  claimed: number
  save: (name: string) => Promise<void>
}

/** Takes the pictures of the manual, docs/ajuda, in the order of its pages; `page` is signed in. */
export async function takeManual({ page, url, ready, lacking, completed, claimed, save }: Scene) {
  const open = (path: string) => page.goto(url + path)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('row').nth(5)
  const thumbnail = page.locator('.evidence-grid img, .evidence-card img').first()
  const close = async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  await open('/dashboard')
  await page.getByRole('img', { name: /Ordens por marca/ }).waitFor()
  await save('painel')

  await open('/lista-os')
  await rows.waitFor()
  await save('lista')
  await page.keyboard.press('?')
  await page.locator('.help-sheet').waitFor()
  await save('atalhos')
  await close()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('categoria')
  await page.getByRole('group', { name: 'Ajuda' }).waitFor()
  await page.locator('.palette-list.is-stale').waitFor({ state: 'detached' })
  await save('busca')
  await close()
  await button(/^Notificações/).click()
  await page.getByText('Marcar todas como lidas').or(page.getByText('Nenhuma notificação.')).first().waitFor()
  await save('notificacoes')

  await open(`/os/${ready}`)
  await page.getByRole('heading', { name: 'Comentários' }).waitFor()
  await save('os')
  await button('Mudar status')
    .or(page.getByRole('button', { name: /^Alterar status/ }))
    .first()
    .click()
  await page.getByRole('menu').waitFor()
  await save('status')

  await open('/nova-os')
  await page.getByLabel('Marca').waitFor()
  await save('nova-os')

  await open(`/os/${ready}?tab=evidencias`)
  await thumbnail.waitFor()
  await save('evidencias')
  await page.getByRole('button', { name: /^Ver / }).first().click()
  const shown = dialog.locator('.viewer-picture > img:not(.viewer-placeholder)').first()
  await shown.evaluate((picture: HTMLImageElement) => picture.decode())
  await save('visualizador')
  await close()

  await open(`/os/${completed}?tab=evidencias`)
  await page.getByText('Selado').first().scrollIntoViewIfNeeded()
  await save('dossie')

  await open(`/os/${lacking}?tab=evidencias`)
  await page.locator('.checklist').waitFor()
  await save('o-que-falta')
  await page.keyboard.press('u')
  await dialog.waitFor()
  await dialog
    .locator('input[type="file"]')
    .first()
    .setInputFiles(await photos())
  await dialog.getByText('painel.jpg').waitFor()
  await save('envio')
  await close().catch(() => null)

  await open(`/os/${lacking}?tab=evidencias`)
  await button('Links para fotos').click()
  await dialog.getByLabel('Para quem').fill('Mecânico João')
  await button('Criar link').click()
  await dialog.getByLabel('Endereço do link').waitFor()
  await save('link-para-fotos')

  await open('/importar')
  await page.getByLabel('Empresa').selectOption({ index: 1 })
  await page.locator('input[type="file"]').setInputFiles({
    name: 'relatorio-do-dms.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(REPORT),
  })
  await button('Enviar arquivo').click()
  await button('Conferir').click()
  await page.getByRole('heading', { name: 'Conferência' }).scrollIntoViewIfNeeded()
  await save('importacao')

  await open(`/os/${claimed}?tab=garantia`)
  await page.getByRole('region', { name: /^SG / }).first().waitFor()
  await save('garantia')
  await open('/solicitacoes')
  await rows.waitFor()
  await save('solicitacoes')
  await open('/conciliacao')
  await button('Baixar demonstrativo de exemplo').waitFor()
  await save('conciliacao')
  await open('/recusas')
  await page.getByRole('table').first().waitFor()
  await save('recusas')
  await open('/prazos')
  await rows.waitFor()
  await save('prazos')
  await open('/settings?tab=perfil')
  await page.getByRole('heading', { name: 'Prazos no calendário' }).scrollIntoViewIfNeeded()
  await save('calendario')
  await open('/relatorios')
  await page.getByRole('table').first().waitFor()
  await save('relatorios')

  await open('/brands')
  await page.getByText('Tamanho total').first().waitFor()
  await save('marcas')
  await open('/companies')
  await rows.waitFor()
  await save('empresas')
  await open('/admin')
  await rows.waitFor()
  await save('usuarios')
  await open('/settings?tab=seguranca')
  await page.getByRole('heading', { name: 'Chaves de acesso' }).waitFor()
  await save('configuracoes')
}

/** The page of those who are not signed in yet. */
export async function takeSignIn({ page, url, save }: Pick<Scene, 'page' | 'url' | 'save'>) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Senha', { exact: true }).waitFor()
  await save('entrar')
}

/** Files to send as they come from a phone. */
const photos = () =>
  Promise.all(
    ['painel.jpg', 'odometro.jpg', 'etiqueta.jpg'].map(async (name, index) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await sharp({
        create: { width: 2400, height: 1800, channels: 3, background: { r: 40 * index, g: 90, b: 120 } },
      })
        .jpeg()
        .toBuffer(),
    })),
  )

const REPORT = [
  'OS;Marca;Data de abertura;Placa;Chassi;Modelo;Cliente;Telefone;Reclamação',
  '700101;Fiat;03/11/2026;QRS1A23;9BD19713HP3456781;Fastback;Marta Siqueira;(11) 98888-1001;Ruído na suspensão',
  '700102;Fiat;04/11/2026;QRS1A24;9BD19713HP3456782;Pulse;Caio Nunes;(11) 98888-1002;Luz da injeção acesa',
  '700103;Fiat;05/11/2026;QRS1A2;9BD19713HP3456783;Argo;Lia Prates;(11) 98888-1003;Vidro não fecha',
].join('\n')
