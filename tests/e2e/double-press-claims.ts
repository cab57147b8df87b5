import type { Page } from '@playwright/test'
import { choose } from './double-press-lists.ts'
import { type Confirmation, dialog, inDialog } from './double-press-rows.ts'

const byName = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const inBar = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Ações em lote' }).getByRole('button', { name, exact: true })
const fillReason = (page: Page) => field(page, 'Motivo').fill('Conferido com o analista')

/** Steps of one claim, on the tab of its order; each goes on from the one before. */
const stepsOfClaim = (tab: string, name: string): Confirmation[] => {
  const inMenu = (page: Page, step: string) => choose(page, `Ações da ${name}`, step)
  return [
    {
      path: tab,
      prepare: async (page) => {
        await byName(page, 'Abrir solicitação').click()
        await field(page, 'Número da peça').fill('51393')
        await inDialog(page, 'Excluir item 2').click()
      },
      button: (page) => inDialog(page, 'Abrir solicitação'),
      call: 'claims.open',
      message: 'Solicitação aberta',
    },
    {
      prepare: async (page) => {
        await inMenu(page, 'Editar rascunho')
        await field(page, 'Valor').fill('1100,00')
      },
      button: (page) => inDialog(page, 'Salvar'),
      call: 'claims.change',
      message: 'Rascunho salvo',
    },
    {
      prepare: (page) => byName(page, 'Enviar à marca').click(),
      button: (page) => inDialog(page, 'Enviar à marca'),
      call: 'claims.submit',
      message: 'Solicitação enviada',
    },
    {
      prepare: (page) => byName(page, 'Registrar resposta').click(),
      button: (page) => inDialog(page, 'Registrar resposta'),
      call: 'claims.decide',
      message: 'Resposta registrada',
    },
    {
      prepare: async (page) => {
        await inMenu(page, 'Corrigir resposta')
        await field(page, 'Resposta da marca').selectOption('partial')
        await field(page, 'Autorizado de R$ 1.100,00').fill('1000,00')
        await field(page, 'Motivo').selectOption('wrong_part_price')
        await field(page, 'Motivo da correção').fill('Lida na linha errada')
      },
      button: (page) => inDialog(page, 'Corrigir resposta'),
      call: 'claims.correctDecision',
      message: 'Resposta corrigida',
    },
    {
      prepare: (page) => inMenu(page, 'Registrar nota de crédito'),
      button: (page) => inDialog(page, 'Registrar nota de crédito'),
      call: 'claims.creditNote',
      message: 'Nota de crédito registrada',
    },
    {
      prepare: (page) => byName(page, 'Registrar pagamento').click(),
      button: (page) => inDialog(page, 'Registrar pagamento'),
      call: 'claims.pay',
      message: 'Pagamento registrado',
    },
    {
      prepare: async (page) => {
        await inMenu(page, 'Registrar estorno')
        await fillReason(page)
      },
      button: (page) => inDialog(page, 'Registrar estorno'),
      call: 'claims.debit',
      message: 'Estorno registrado',
    },
    {
      prepare: async (page) => {
        await byName(page, /^Corrigir Peças: estorno/).click()
        await fillReason(page)
      },
      button: (page) => inDialog(page, 'Anular lançamento'),
      call: 'claims.correctEntry',
      message: 'Lançamento corrigido',
    },
    {
      prepare: async (page) => {
        await inMenu(page, 'Dar baixa')
        await fillReason(page)
      },
      button: (page) => inDialog(page, 'Dar baixa'),
      call: 'claims.writeOff',
      message: 'Baixa registrada',
    },
    {
      prepare: (page) => byName(page, 'Conciliar').click(),
      button: (page) => inDialog(page, 'Conciliar'),
      call: 'claims.reconcile',
      message: 'Solicitação conciliada',
    },
  ]
}

/** Several claims at once, in the list; `supplement` opens another claim of the order and leads to it. */
const stepsOfList = (supplement: () => Promise<string>, name: string): Confirmation[] => [
  {
    path: supplement,
    prepare: async (page) => {
      await page.getByRole('grid').getByLabel(`Selecionar ${name}`).check()
      await inBar(page, 'Enviar à marca').click()
    },
    button: (page) => inDialog(page, 'Enviar à marca'),
    call: 'claimList.submitMany',
    message: 'Solicitações enviadas',
  },
  {
    prepare: async (page) => {
      await page.getByRole('grid').getByLabel(`Selecionar ${name}`).check()
      await inBar(page, 'Registrar resposta').click()
    },
    button: (page) => inDialog(page, 'Registrar resposta'),
    call: 'claimList.decideMany',
    message: 'Respostas registradas',
  },
]

/** The first line is of nobody; the second pays the claim that the list has answered. */
const REMITTANCE = 'SG;OS;Chassi;Valor\nXYZ1;000999;123456;10,00\n;000901;117974;200,00\n'
const remittances = (company: string): Confirmation[] => [
  {
    path: '/conciliacao',
    prepare: async (page) => {
      await page.getByLabel('Empresa').selectOption({ label: company })
      await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })
      const file = { name: 'novembro.csv', mimeType: 'text/csv', buffer: Buffer.from(REMITTANCE) }
      await page.locator('input[type=file]').setInputFiles(file)
    },
    button: (page) => byName(page, 'Enviar arquivo'),
    call: '/api/v1/remittances',
    shows: (page) => byName(page, 'Conferir'),
  },
  {
    prepare: async () => {},
    button: (page) => byName(page, 'Conferir'),
    call: 'remittances.check',
    shows: (page) => page.getByRole('heading', { name: 'Conferência' }),
    isRepeatable: true,
  },
  {
    prepare: async () => {},
    button: (page) => byName(page, 'Lançar 1 pagamento'),
    call: 'remittances.run',
    shows: (page) => page.locator('strong').getByText('Demonstrativo importado'),
  },
  {
    path: '/conciliacao?tab=digitar',
    prepare: async (page) => {
      await page.getByLabel('Empresa').selectOption({ label: company })
      await page.getByLabel('Marca', { exact: true }).selectOption({ label: 'Honda' })
      await page.getByLabel('Nº na marca, linha 1').fill('XYZ2')
      await page.getByLabel('Valor pago, linha 1').fill('10,00')
    },
    button: (page) => byName(page, 'Conferir'),
    call: 'remittances.checkTyped',
    shows: (page) => page.getByRole('heading', { name: 'Conferência' }),
    isRepeatable: true,
  },
  {
    prepare: async () => {},
    button: (page) => byName(page, 'Guardar as divergências'),
    call: 'remittances.type',
    shows: (page) => page.locator('strong').getByText('Demonstrativo importado'),
  },
  {
    path: '/conciliacao?tab=divergencias',
    prepare: async (page) => {
      await choose(page, 'Ações de XYZ1', 'Ignorar a linha')
      await fillReason(page)
    },
    button: (page) => inDialog(page, 'Resolver'),
    call: 'remittances.resolve',
    message: 'Divergência resolvida',
  },
  {
    path: '/conciliacao?tab=historico',
    prepare: async (page) => {
      await choose(page, /^Ações de novembro/, 'Desfazer importação')
      await fillReason(page)
    },
    button: (page) => inDialog(page, 'Desfazer importação'),
    call: 'remittances.undo',
    message: 'Importação desfeita',
  },
]

/** What a person chooses of their own deadlines. */
const settings: Confirmation[] = [
  {
    path: '/settings?tab=perfil',
    prepare: async () => {},
    button: (page) => page.getByRole('switch', { name: 'Prazos por email' }),
    call: 'notifications.chooseDeadlineMail',
    shows: (page) => page.getByRole('switch', { name: 'Prazos por email', checked: false }),
    isRepeatable: true,
  },
  {
    prepare: async () => {},
    button: (page) => byName(page, 'Criar endereço'),
    call: 'deadlines.newCalendar',
    shows: (page) => page.getByLabel('Endereço do calendário', { exact: true }),
    isRepeatable: true,
  },
  {
    prepare: (page) => byName(page, 'Revogar').click(),
    button: (page) => inDialog(page, 'Revogar'),
    call: 'deadlines.revokeCalendar',
    message: 'Endereço revogado',
  },
]

interface ClaimsScene {
  /** The tab of an order without claims, completed, with a sealed dossier. */
  tab: string
  /** The trading name of its company. */
  company: string
  /** Opens a supplement of the order's first claim, and leads to the order's claims in the list. */
  supplement: () => Promise<string>
}

/** Rows of `double-press-claims.spec.ts`: claims of the order 000901, remittances and deadlines. */
export const claimConfirmations = ({ tab, company, supplement }: ClaimsScene): Confirmation[] => [
  ...stepsOfClaim(tab, 'SG 000901-1'),
  ...stepsOfList(supplement, 'SG 000901-2'),
  ...remittances(company),
  {
    path: async () => {
      await supplement()
      return tab
    },
    prepare: async (page) => {
      await choose(page, 'Ações da SG 000901-3', 'Retirar')
      await fillReason(page)
    },
    button: (page) => inDialog(page, 'Retirar'),
    call: 'claims.withdraw',
    message: 'Solicitação retirada',
  },
  ...settings,
]
