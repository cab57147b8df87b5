import type { Page } from '@playwright/test'
import { type Confirmation, dialog, inDialog, rowOf } from './double-press-rows.ts'

export const choose = async (page: Page, opener: string | RegExp, item: string) => {
  await page.getByRole('button', { name: opener }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Rows of `double-press.spec.ts`: lists, status and forms of orders, catalogue and people. */
export const listConfirmations = (at: (os_number: string) => string): Confirmation[] => [
  {
    kind: 'confirmation of one row',
    path: '/lista-os',
    prepare: async (page) => {
      await rowOf(page, '000006').focus()
      await page.keyboard.press('Delete')
    },
    button: (page) => inDialog(page, 'Excluir'),
    call: 'orders.remove',
    message: 'OS excluído(a) com sucesso.',
  },
  {
    path: '/lista-os',
    prepare: async (page) => {
      for (const one of ['000004', '000005'])
        await page.getByRole('grid').getByLabel(`Selecionar OS ${one}`).check()
      await page.keyboard.press('Delete')
    },
    button: (page) => inDialog(page, 'Excluir'),
    call: 'orderList.remove',
    message: '2 ordens de serviço',
  },
  {
    kind: 'confirmation of several rows',
    path: '/lista-os',
    prepare: async (page) => {
      for (const one of ['000002', '000003'])
        await page.getByRole('grid').getByLabel(`Selecionar OS ${one}`).check()
      await page.keyboard.press('s')
      await dialog(page).getByText('Colocar em análise').click()
    },
    button: (page) => inDialog(page, 'Mudar status'),
    call: 'orderList.setStatus',
    message: 'Status atualizado com sucesso',
  },
  {
    path: at('000003'),
    prepare: async (page) => {
      await choose(page, /^Alterar status/, 'Cancelar')
      await dialog(page).getByLabel('Motivo').fill('Desistência')
    },
    button: (page) => inDialog(page, 'Cancelar OS'),
    call: 'orders.setStatus',
    message: 'Status atualizado com sucesso',
  },
  {
    kind: 'dialog form',
    path: at('000002'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Editar', exact: true }).click()
      await dialog(page).getByLabel('Descrição do problema').fill('Ruído')
      await inDialog(page, 'Próximo').click()
      await dialog(page).getByLabel('Nome do cliente').fill('José da Silva')
      await dialog(page).getByLabel('Telefone').fill('11987654321')
      await dialog(page).getByLabel('Modelo').fill('Civic')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'orders.change',
    message: 'OS atualizada com sucesso!',
  },
  {
    kind: 'form of a page',
    path: `${at('000002')}/edit`,
    prepare: (page) => page.getByLabel('Diagnóstico').fill('Bucha gasta'),
    button: (page) => page.getByRole('button', { name: 'Salvar', exact: true }),
    call: 'orders.change',
    message: 'OS atualizada com sucesso!',
  },
  {
    path: `${at('000002')}?tab=evidencias`,
    prepare: async () => {},
    button: (page) => page.getByRole('button', { name: 'Gerar dossiê' }),
    call: 'dossier.build',
    message: 'Nenhum arquivo convertido para o dossiê.',
    isRepeatable: true,
  },
  {
    path: '/companies',
    prepare: (page) => choose(page, 'Ações de Auto Sul', 'Excluir'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'companies.remove',
    message: 'Empresa excluído(a) com sucesso.',
  },
  {
    path: '/admin',
    prepare: (page) => choose(page, 'Ações de Tina Torres', 'Excluir'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'users.remove',
    message: 'Usuário excluído(a) com sucesso.',
  },
  {
    path: '/brands',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Editar/ })
        .first()
        .click()
      await dialog(page).getByLabel('Tamanho total (MB)').fill('33')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'brands.change',
    message: 'Regras salvas',
  },
  {
    path: '/lista-os?status=cancelled',
    prepare: async (page) => {
      await choose(page, 'Vistas', 'Salvar vista…')
      await dialog(page).getByRole('textbox', { name: 'Nome' }).fill('Canceladas')
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'savedViews.save',
    message: 'Vista salva',
  },
  {
    path: '/lista-os?status=cancelled',
    prepare: (page) => choose(page, 'Canceladas', 'Excluir «Canceladas»…'),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'savedViews.remove',
    message: 'Vista excluído(a) com sucesso.',
  },
  {
    path: '/settings?tab=perfil',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click()
      await page.getByLabel('Nome completo').fill('Ana Administradora')
    },
    button: (page) => page.getByRole('button', { name: 'Salvar', exact: true }),
    call: 'account.change',
    message: 'Usuário atualizado com sucesso.',
  },
]
