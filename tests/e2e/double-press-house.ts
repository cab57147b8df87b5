import type { Page } from '@playwright/test'
import { picture } from '../support/make.ts'
import { type Confirmation, dialog, inDialog } from './double-press-rows.ts'
import { PASSWORD } from './page-helpers.ts'

const byName = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const openMenu = async (page: Page, opener: string, item: string) => {
  await byName(page, opener).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}
const save = (page: Page) => inDialog(page, 'Salvar')
const found = (page: Page) => page.getByRole('region', { name: 'O que há deste titular' })
async function findSubject(page: Page) {
  await page.getByRole('textbox', { name: 'CPF ou CNPJ' }).fill('529.982.247-25')
  await byName(page, 'Procurar titular').click()
  await found(page).waitFor()
}

const queue = (page: Page) => page.getByRole('region', { name: 'Fila de trabalhos' })

/** The queue of the installation: paused, resumed, and a job of it repeated. */
export const queueConfirmations = (failedJob: () => Promise<unknown>): Confirmation[] => [
  {
    path: async () => {
      await failedJob()
      return '/settings?tab=sistema'
    },
    prepare: (page) => queue(page).getByRole('listitem').first().waitFor(),
    button: (page) =>
      queue(page)
        .getByRole('button', { name: /^Repetir o trabalho/ })
        .first(),
    call: 'installation.retry',
    message: 'Trabalho na fila',
  },
  {
    path: '/settings?tab=sistema',
    prepare: (page) => byName(page, 'Pausar…').click(),
    button: (page) => inDialog(page, 'Pausar'),
    call: 'installation.pause',
    message: 'Fila pausada',
  },
  {
    prepare: async () => {},
    button: (page) => byName(page, 'Retomar'),
    call: 'installation.resume',
    message: 'Fila retomada',
  },
]

/** Other systems are told, told again, and no longer. */
export const webhookConfirmations = (tell: () => Promise<unknown>): Confirmation[] => [
  {
    path: '/settings?tab=webhooks',
    prepare: (page) => page.getByLabel('Endereço', { exact: true }).fill('https://dms.example/garantia'),
    button: (page) => byName(page, 'Criar webhook'),
    call: 'webhooks.create',
    shows: (page) => page.getByText('Webhook criado.'),
  },
  {
    path: async () => {
      await tell()
      return '/settings?tab=webhooks'
    },
    prepare: (page) => byName(page, 'Mensagens: https://dms.example/garantia').click(),
    button: (page) => dialog(page).getByRole('button', { name: /^Reenviar order/ }),
    call: 'webhooks.resend',
    message: 'Reenvio pedido',
    isRepeatable: true,
    staysOpen: true,
  },
  {
    path: '/settings?tab=webhooks',
    prepare: (page) => byName(page, 'Remover: https://dms.example/garantia').click(),
    button: (page) => inDialog(page, 'Remover'),
    call: 'webhooks.remove',
    message: 'Webhook removido',
  },
]

/** Rows of `double-press.spec.ts`: companies, people, brands and the duties of the data protection law. */
export const houseConfirmations = (): Confirmation[] => [
  {
    path: '/companies',
    prepare: async (page) => {
      await byName(page, 'Adicionar Empresa').first().click()
      await field(page, 'Nome Fantasia').fill('Auto Oeste')
      await field(page, 'Razão Social').fill('Auto Oeste Ltda')
      await field(page, 'Tipo').selectOption('matriz')
      await field(page, 'CNPJ').fill('11.444.777/0001-61')
    },
    button: save,
    call: 'companies.open',
    message: 'Empresa criada com sucesso.',
  },
  {
    path: '/companies',
    prepare: async (page) => {
      await openMenu(page, 'Ações de Auto Oeste', 'Editar')
      await field(page, 'Cidade').fill('Osasco')
    },
    button: save,
    call: 'companies.change',
    message: 'Empresa atualizada com sucesso.',
  },
  {
    path: '/companies',
    prepare: async (page) => {
      await openMenu(page, 'Ações de Auto Oeste', 'Editar')
      const buffer = await picture('png', 300, 100)
      await field(page, 'Logotipo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      await dialog(page).getByAltText('Logotipo atual').waitFor()
    },
    button: (page) => inDialog(page, 'Remover logotipo'),
    call: 'companies.removeLogo',
    message: 'Logotipo removido',
    staysOpen: true,
  },
  {
    path: '/admin',
    prepare: async (page) => {
      await byName(page, 'Adicionar Usuário').first().click()
      await field(page, 'Nome completo').fill('Ugo Uchoa')
      await field(page, 'Email ou nome de usuário').fill('ugo')
      await dialog(page).getByRole('tab', { name: 'Organização' }).click()
      await field(page, 'Função').selectOption('manager')
      await dialog(page).getByRole('tab', { name: 'Segurança' }).click()
      await field(page, 'Senha').fill(PASSWORD)
      await field(page, 'Confirmar senha').fill(PASSWORD)
    },
    button: save,
    call: 'users.open',
    message: 'Usuário criado com sucesso.',
  },
  {
    path: '/admin',
    prepare: async (page) => {
      await openMenu(page, 'Ações de Ugo Uchoa', 'Editar')
      await dialog(page).getByRole('tab', { name: 'Organização' }).click()
      await field(page, 'Departamento').fill('Garantia')
    },
    button: save,
    call: 'users.change',
    message: 'Usuário atualizado com sucesso.',
  },
  {
    path: '/admin',
    prepare: (page) => openMenu(page, 'Ações de Lia Nunes', 'Remover verificação em duas etapas'),
    button: (page) => inDialog(page, 'Remover'),
    call: 'users.removeFactors',
    message: 'Verificação em duas etapas removida',
  },
  {
    path: '/brands',
    prepare: async (page) => {
      await byName(page, 'Nova marca').click()
      await field(page, 'Nome').fill('Peugeot')
    },
    button: (page) => inDialog(page, 'Criar marca'),
    call: 'brands.open',
    message: 'Marca criada',
    staysOpen: true,
  },
  {
    path: '/brands',
    prepare: async (page) => {
      const saved = page.waitForEvent('download')
      await openMenu(page, 'Mais ações de Peugeot', 'Exportar regras')
      const text = await (await saved).createReadStream()
      const chunks: Buffer[] = []
      for await (const chunk of text) chunks.push(chunk as Buffer)
      const changed = Buffer.concat(chunks)
        .toString()
        .replace(/"max_evidence_count": \d+/, '"max_evidence_count": 7')
      await openMenu(page, 'Arquivo', 'Importar regras…')
      await field(page, 'Arquivo de regras').setInputFiles({
        name: 'regras.json',
        mimeType: 'application/json',
        buffer: Buffer.from(changed),
      })
      await dialog(page)
        .getByText(/Máximo de arquivos/)
        .waitFor()
    },
    button: (page) => inDialog(page, 'Importar'),
    call: 'brands.import',
    message: 'Regras importadas',
  },
  {
    path: '/lgpd?tab=registro',
    prepare: async (page) => {
      await byName(page, 'Editar Responsáveis').click()
      await dialog(page).getByLabel('Controlador').fill('Auto Exemplo Ltda')
    },
    button: save,
    call: 'compliance.saveRegister',
    message: 'Versão 1 do registro salva.',
  },
  {
    path: '/lgpd?tab=incidentes',
    prepare: async (page) => {
      await byName(page, 'Registrar incidente').click()
      await dialog(page).getByLabel('Nome do incidente').fill('Notebook furtado')
      await dialog(page).getByLabel('Descrição e causa raiz').fill('Furto no pátio')
      await dialog(page).getByLabel('Conhecido em').fill('2026-01-02T10:00')
    },
    button: save,
    call: 'compliance.openIncident',
    message: 'Relatório do incidente salvo.',
  },
  {
    path: '/lgpd?tab=incidentes',
    prepare: async (page) => {
      await byName(page, 'Editar Notebook furtado').click()
      await dialog(page).getByLabel('Comunicado à ANPD em').fill('2026-01-05T10:00')
    },
    button: save,
    call: 'compliance.changeIncident',
    message: 'Relatório do incidente salvo.',
  },
  {
    path: '/lgpd?tab=guarda',
    prepare: (page) => page.getByLabel('Meses após a conclusão').fill('72'),
    button: (page) => byName(page, 'Salvar'),
    call: 'compliance.setCustomerRetention',
    message: 'Prazo de guarda salvo.',
  },
  {
    path: '/lgpd?tab=guarda',
    prepare: (page) => byName(page, 'Ligar anonimização…').click(),
    button: (page) => inDialog(page, 'Ligar'),
    call: 'compliance.switchCustomerRetention',
    message: 'Anonimização ligada',
  },
  {
    path: '/lgpd?tab=guarda',
    prepare: async () => {},
    button: (page) => byName(page, 'Desligar anonimização'),
    call: 'compliance.switchCustomerRetention',
    message: 'Anonimização desligada',
  },
  {
    path: '/lgpd',
    prepare: findSubject,
    button: (page) => found(page).getByRole('button', { name: 'Exportar dados' }),
    call: 'privacy.export',
    message: 'Exportação na fila',
    isRepeatable: true,
  },
  {
    path: '/lgpd',
    prepare: async (page) => {
      await findSubject(page)
      await found(page).getByRole('button', { name: 'Anonimizar…' }).click()
      await dialog(page).getByLabel('Motivo').fill('Pedido do titular')
      await dialog(page)
        .getByLabel(/^Digite ANONIMIZAR/)
        .fill('ANONIMIZAR')
    },
    button: (page) => inDialog(page, 'Anonimizar'),
    call: 'privacy.anonymise',
    message: 'Anonimização na fila',
  },
]
