import type { Page } from '@playwright/test'
import { type Confirmation, dialog, inDialog, rowOf } from './double-press-rows.ts'

const byName = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inBar = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Ações em lote' }).getByRole('button', { name, exact: true })
const select = async (page: Page, ...numbers: string[]) => {
  for (const one of numbers) await page.getByRole('grid').getByLabel(`Selecionar OS ${one}`).check()
}
const SEARCH = '/lista-os?search='

/**
 * Rows of `double-press.spec.ts`: what a clerk presses on orders and files. `at` leads to an order: 000007 has the files
 * um.jpg, dois.jpg and tres.jpg, 000008 the file so.jpg and the customer of `PEOPLE_CPF`; both are in analysis.
 */
export const workConfirmations = (at: (os_number: string) => string): Confirmation[] => [
  {
    kind: 'dialog form with steps',
    path: '/lista-os',
    prepare: async (page) => {
      await byName(page, 'Nova OS').first().click()
      await dialog(page).getByLabel('Número da OS').fill('000020')
      await dialog(page).getByLabel('Marca').selectOption({ label: 'Honda' })
      await dialog(page).getByLabel('Empresa').selectOption({ index: 1 })
      await dialog(page).getByLabel('Descrição do problema').fill('Ruído')
      await inDialog(page, 'Próximo').click()
      await dialog(page).getByLabel('Nome do cliente').fill('Maria Lima')
      await dialog(page).getByLabel('Telefone').fill('11987654321')
      await dialog(page).getByLabel('Modelo').fill('Civic')
    },
    button: (page) => inDialog(page, 'Criar OS'),
    call: 'orders.open',
    message: 'OS criada com sucesso!',
  },
  {
    path: at('000007'),
    prepare: (page) => page.getByLabel('Comentário', { exact: true }).fill('Falta a placa'),
    button: (page) => byName(page, 'Comentar'),
    call: 'comments.add',
    shows: (page) => page.getByRole('region', { name: 'Comentários' }).getByText('Falta a placa'),
  },
  {
    kind: 'button of a page',
    path: at('000007'),
    prepare: async () => {},
    button: (page) => byName(page, 'Mostrar o chassi inteiro'),
    call: 'orders.reveal',
    shows: (page) => page.getByText('9BGRD08X04G117974'),
  },
  {
    path: `${SEARCH}00000`,
    prepare: async (page) => {
      await select(page, '000007', '000008')
      await page.keyboard.press('s')
      await dialog(page)
        .getByText(/^Retomar/)
        .click()
    },
    button: (page) => inDialog(page, 'Mudar status'),
    call: 'orderList.resume',
    message: 'Status atualizado com sucesso',
  },
  {
    path: `${SEARCH}000007`,
    prepare: async (page) => {
      await rowOf(page, '000007').waitFor()
      await select(page, '000007')
    },
    button: (page) => inBar(page, 'Baixar pacotes'),
    call: 'packages.request',
    message: 'Erro ao pedir pacotes',
    isRepeatable: true,
  },
  {
    kind: 'button above selected rows',
    path: `${SEARCH}000008`,
    prepare: async (page) => {
      await rowOf(page, '000008').waitFor()
      await select(page, '000008')
    },
    button: (page) => inBar(page, 'Converter'),
    call: 'conversion.convertMany',
    message: 'Conversão em lote iniciada',
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await byName(page, 'Categoria e descrição de um.jpg').click()
      await dialog(page).getByLabel('Categoria', { exact: true }).selectOption({ label: 'Odômetro' })
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'evidence.change',
    message: 'Categoria alterada',
  },
  {
    kind: 'optimistic item of a menu',
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await page.getByLabel('Selecionar um.jpg').check()
      await page.getByLabel('Selecionar dois.jpg').check()
      await page
        .getByRole('region', { name: 'Arquivos selecionados' })
        .getByRole('button', { name: 'Categoria' })
        .click()
    },
    button: (page) => page.getByRole('menuitem', { name: 'Placa do Veículo' }),
    call: 'evidence.changeMany',
    message: 'Categoria alterada',
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await page.getByLabel('Selecionar um.jpg').check()
      await page.getByLabel('Selecionar dois.jpg').check()
      await page
        .getByRole('region', { name: 'Arquivos selecionados' })
        .getByRole('button', { name: 'Categoria' })
        .click()
      await page.getByRole('menuitem', { name: 'Odômetro' }).click()
    },
    button: (page) => byName(page, 'Desfazer'),
    call: 'evidence.changeMany',
    shows: (page) =>
      page.getByRole('article', { name: 'dois.jpg' }).getByText('Placa do Veículo', { exact: true }),
  },
  {
    kind: 'dialog that stays open',
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await byName(page, 'Links para fotos').click()
      await dialog(page).getByLabel('Para quem').fill('Mecânico João')
    },
    button: (page) => inDialog(page, 'Criar link'),
    call: 'guestLinks.make',
    shows: (page) => page.getByLabel('Endereço do link'),
    staysOpen: true,
  },
  {
    prepare: (page) => byName(page, 'Revogar: Mecânico João').click(),
    button: (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Revogar' }),
    call: 'guestLinks.revoke',
    message: 'Link revogado',
    staysOpen: true,
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await byName(page, 'Ver um.jpg').click()
      await byName(page, 'Marcar').click()
      await inDialog(page, 'Pôr no meio').click()
    },
    button: (page) => inDialog(page, 'Salvar'),
    call: 'conversion.mark',
    message: 'Marcas salvas',
    staysOpen: true,
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: (page) => byName(page, 'Excluir tres.jpg').click(),
    button: (page) => inDialog(page, 'Excluir'),
    call: 'evidence.remove',
    message: 'Arquivo excluído',
  },
  {
    kind: 'undo in a toast',
    path: `${at('000007')}?tab=evidencias`,
    prepare: async (page) => {
      await byName(page, 'Excluir dois.jpg').click()
      await inDialog(page, 'Excluir').click()
    },
    button: (page) => byName(page, 'Desfazer'),
    call: 'evidence.restore',
    message: 'Arquivo restaurado',
  },
  {
    kind: 'button that may be pressed again',
    path: `${at('000007')}?tab=evidencias`,
    prepare: async () => {},
    button: (page) => byName(page, 'Validar'),
    call: 'evidence.validate',
    message: 'Problemas na validação',
    isRepeatable: true,
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: async () => {},
    button: (page) => byName(page, 'Processar um.jpg'),
    call: 'conversion.convert',
    message: 'Conversão iniciada',
  },
  {
    path: `${at('000007')}?tab=evidencias`,
    prepare: async () => {},
    button: (page) => byName(page, 'Converter Todos'),
    call: 'conversion.convertAll',
    message: 'Conversão em lote iniciada',
  },
]
