import type { Page } from '@playwright/test'
import { type Confirmation, inDialog } from './double-press-rows.ts'
import { PASSWORD } from './page-helpers.ts'

const byName = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function fillSignIn(page: Page, password: string) {
  await page.getByLabel('Email ou nome de usuário').fill('eva@exemplo.com.br')
  await page.getByLabel('Senha', { exact: true }).fill(password)
}

/** What ends or begins a session, one after the other; the last rows of the table. */
export const accountConfirmations = (
  resetLink: () => Promise<string>,
  openSession: () => Promise<unknown>,
): Confirmation[] => [
  {
    path: async () => {
      await openSession()
      return '/settings?tab=sessoes'
    },
    prepare: async (page) => page.getByRole('list', { name: 'Sessões abertas' }).waitFor(),
    button: (page) =>
      page
        .getByRole('list', { name: 'Sessões abertas' })
        .getByRole('button', { name: /^Encerrar/ })
        .last(),
    call: 'account.closeSession',
    message: 'Sessão encerrada',
  },
  {
    kind: 'confirmation that ends the session',
    path: '/settings?tab=sessoes',
    prepare: (page) => byName(page, 'Encerrar todas as sessões').click(),
    button: (page) => inDialog(page, 'Encerrar todas'),
    call: 'account.endAccess',
    message: 'Sessões encerradas',
  },
  {
    kind: 'form without a session',
    path: '/signup',
    prepare: async (page) => {
      await page.getByLabel('Nome completo').fill('Eva Dias')
      await page.getByLabel('Email', { exact: true }).fill('eva@exemplo.com.br')
      await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
      await page.getByLabel('Confirmar senha').fill(PASSWORD)
    },
    button: (page) => byName(page, 'Criar conta'),
    call: 'auth.signUp',
    message: 'Account created.',
  },
  {
    kind: 'form without a session',
    path: '/recover-password',
    prepare: (page) => page.getByLabel('Email', { exact: true }).fill('eva@exemplo.com.br'),
    button: (page) => byName(page, 'Enviar instruções'),
    call: 'auth.recover',
    shows: (page) => page.getByText('Nós enviamos um email com instruções para recuperar a sua senha.'),
  },
  {
    kind: 'form of a mailed link',
    path: resetLink,
    prepare: async (page) => {
      await page.getByLabel('Nova senha', { exact: true }).fill('outra-senha-boa')
      await page.getByLabel('Confirmar senha').fill('outra-senha-boa')
    },
    button: (page) => byName(page, 'Redefinir senha'),
    call: 'auth.reset',
    message: 'Senha alterada com sucesso.',
  },
  {
    kind: 'sign-in',
    path: '/login',
    prepare: (page) => fillSignIn(page, 'outra-senha-boa'),
    button: (page) => byName(page, 'Entrar'),
    call: 'auth.login',
    shows: (page) => byName(page, 'Menu de Eva Dias'),
  },
  {
    path: '/settings?tab=senha',
    prepare: async (page) => {
      await page.getByLabel('Senha atual', { exact: true }).fill('outra-senha-boa')
      await page.getByLabel('Nova senha', { exact: true }).fill('mais-uma-senha-boa')
      await page.getByLabel('Confirmar senha').fill('mais-uma-senha-boa')
    },
    button: (page) => byName(page, 'Salvar'),
    call: 'account.changePassword',
    message: 'Senha alterada com sucesso.',
  },
  {
    path: '/settings',
    prepare: (page) => byName(page, 'Menu de Eva Dias').click(),
    button: (page) => page.getByRole('menuitem', { name: 'Log out' }),
    call: 'auth.logout',
    shows: (page) => byName(page, 'Entrar'),
  },
  {
    path: '/login',
    prepare: (page) => fillSignIn(page, 'mais-uma-senha-boa'),
    button: (page) => byName(page, 'Entrar'),
    call: 'auth.login',
    shows: (page) => byName(page, 'Menu de Eva Dias'),
  },
  {
    path: '/settings?tab=perfil',
    prepare: (page) => byName(page, 'Excluir minha conta').click(),
    button: (page) => inDialog(page, 'Excluir minha conta'),
    call: 'account.leave',
    message: 'Conta excluída com sucesso.',
  },
]
