import type { Locator, Page } from '@playwright/test'
import { TOTP } from 'otpauth'

export const dialog = (page: Page) => page.locator('[role="dialog"], [role="alertdialog"]').last()
export const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
export const rowOf = (page: Page, text: string) => page.locator('tr[data-row]').filter({ hasText: text })

/** What is pressed. The default run presses at least one row of each kind, the exhaustive run every row. */
export const KINDS = [
  'confirmation of one row',
  'confirmation of several rows',
  'confirmation that ends the session',
  'dialog form',
  'dialog form with steps',
  'dialog that stays open',
  'form of a page',
  'form without a session',
  'form of a mailed link',
  'sign-in',
  'button of a page',
  'button above selected rows',
  'button that asks a device',
  'button that may be pressed again',
  'undo in a toast',
  'item of a menu',
  'optimistic item of a menu',
  'switch',
  'upload',
] as const

export interface Confirmation {
  /** Only in the rows that the default run presses too. */
  kind?: (typeof KINDS)[number]
  /** Without one, the screen that the row before has left is used on. */
  path?: string | (() => Promise<string>)
  /** Opens what the button confirms, and fills it in. */
  prepare: (page: Page) => Promise<unknown>
  button: (page: Page) => Locator
  /** What it calls, and the one message that reports it, or else what it shows. */
  call: string | string[]
  message?: string
  shows?: (page: Page) => Locator
  /** A press after the answer is another attempt. */
  isRepeatable?: boolean
  /** The dialog stays, or another one follows it. */
  staysOpen?: boolean
}

const [FILE, IMPORTS] = ['Número da OS;Marca\n900001;Honda\n', '/importar']
const sendFile = (page: Page) => page.getByRole('button', { name: 'Enviar arquivo' })
async function chooseFile(page: Page) {
  await page.getByLabel('Empresa').selectOption({ index: 2 })
  const file = { name: 'sistema.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) }
  await page.getByLabel('Arquivo', { exact: true }).setInputFiles(file)
}
const confirm = (page: Page) => page.getByRole('button', { name: 'Conferir', exact: true })
async function uploadFile(page: Page) {
  await chooseFile(page)
  await sendFile(page).click()
  await page.getByLabel('Marca das demais linhas').selectOption({ index: 1 })
}
const activate = (page: Page) => page.getByRole('button', { name: 'Ativar a verificação em duas etapas' })
async function enterCode(page: Page) {
  await activate(page).click()
  const secret = (await page.locator('.totp-key').textContent()) ?? ''
  await page
    .getByLabel('Código de verificação')
    .fill(new TOTP({ secret: secret.replaceAll(' ', '') }).generate())
}
const inCard = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const settings: Confirmation[] = [
  {
    path: '/settings?tab=tokens',
    prepare: async (page) => {
      await page.getByLabel('Nome').fill('ERP')
      await page.getByLabel('Permissão').selectOption({ index: 1 })
    },
    button: (page) => inCard(page, 'Criar token'),
    call: 'tokens.open',
    shows: (page) => page.getByText('Token «ERP» criado.'),
  },
  {
    path: '/settings?tab=tokens',
    prepare: (page) => inCard(page, 'Revogar: ERP').click(),
    button: (page) => inDialog(page, 'Revogar'),
    call: 'tokens.revoke',
    message: 'Token revogado',
  },
  {
    kind: 'button that asks a device',
    path: '/settings?tab=seguranca',
    prepare: (page) => page.getByLabel('Nome', { exact: true }).fill('Notebook da mesa'),
    button: (page) => inCard(page, 'Cadastrar chave de acesso'),
    call: ['passkeys.begin', 'passkeys.add'],
    message: 'Chave de acesso cadastrada',
  },
  {
    path: '/settings?tab=seguranca',
    prepare: (page) => inCard(page, 'Remover: Notebook da mesa').click(),
    button: (page) => inDialog(page, 'Remover'),
    call: 'passkeys.remove',
    message: 'Chave de acesso removida',
  },
  {
    path: '/settings?tab=seguranca',
    prepare: async () => {},
    button: activate,
    call: 'account.beginTotp',
    shows: (page) => page.getByRole('img', { name: 'Código QR para o aplicativo autenticador' }),
  },
  {
    path: '/settings?tab=seguranca',
    prepare: enterCode,
    button: (page) => inCard(page, 'Confirmar'),
    call: 'account.confirmTotp',
    message: 'Verificação em duas etapas ativada',
  },
  {
    path: '/settings?tab=seguranca',
    prepare: async () => {},
    button: (page) => inCard(page, 'Gerar novos códigos'),
    call: 'account.renewRecoveryCodes',
    isRepeatable: true,
    shows: (page) => page.getByRole('list', { name: 'Códigos de recuperação' }),
  },
  {
    path: '/settings?tab=seguranca',
    prepare: (page) => inCard(page, 'Desativar').click(),
    button: (page) => inDialog(page, 'Desativar'),
    call: 'account.removeTotp',
    message: 'Verificação em duas etapas desativada',
  },
]

/** Rows of `double-press.spec.ts` beside the plain ones of lists and forms; `order` is the page of a held order. */
export const furtherConfirmations = (order: string): Confirmation[] => [
  {
    kind: 'item of a menu',
    path: '/lista-os',
    prepare: (page) => page.getByRole('button', { name: 'Notificações: 1 não lida' }).click(),
    button: (page) => page.getByRole('menuitem', { name: 'Marcar todas como lidas' }),
    call: 'notifications.markRead',
    shows: (page) => page.getByRole('button', { name: 'Notificações', exact: true }),
  },
  {
    path: '/lista-os',
    prepare: async (page) => {
      await rowOf(page, '000002').focus()
      await page.keyboard.press('a')
      await dialog(page).getByLabel('Responsável').selectOption({ index: 1 })
    },
    button: (page) => inDialog(page, 'Mudar responsável'),
    call: 'orderList.assign',
    message: 'Responsável atualizado com sucesso',
  },
  {
    path: `${order}?tab=evidencias`,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Retenção judicial', exact: true }).click()
      await dialog(page).getByLabel('Motivo').fill('Processo 0001')
    },
    button: (page) => inDialog(page, 'Reter'),
    call: 'retention.hold',
    message: 'OS em retenção judicial',
  },
  {
    path: `${order}?tab=evidencias`,
    prepare: (page) => page.getByRole('button', { name: 'Liberar', exact: true }).click(),
    button: (page) => inDialog(page, 'Encerrar retenção'),
    call: 'retention.release',
    message: 'Retenção judicial encerrada',
  },
  {
    kind: 'upload',
    path: IMPORTS,
    prepare: chooseFile,
    button: sendFile,
    call: '/api/v1/service-orders/imports',
    // Reading the file is the worker's work, whose turn comes when it comes.
    shows: (page) => page.getByRole('button', { name: 'Outro arquivo' }),
  },
  {
    path: IMPORTS,
    prepare: uploadFile,
    button: confirm,
    call: 'orderImports.check',
    shows: (page) => page.getByRole('heading', { name: 'Conferência' }),
    isRepeatable: true,
  },
  {
    path: IMPORTS,
    prepare: async (page) => {
      await uploadFile(page)
      await confirm(page).click()
    },
    button: (page) => page.getByRole('button', { name: 'Importar 1 OS' }),
    call: 'orderImports.run',
    shows: (page) => page.getByText('Arquivo importado', { exact: true }),
  },
  ...settings,
  {
    kind: 'switch',
    path: '/settings?tab=perfil',
    prepare: async () => {},
    button: (page) => page.getByRole('switch', { name: 'Resumo diário por email' }),
    call: 'notifications.chooseDigest',
    shows: (page) => page.getByRole('switch', { name: 'Resumo diário por email', checked: true }),
    isRepeatable: true,
  },
]
