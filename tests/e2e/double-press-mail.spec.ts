import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { startMailServer } from '../support/mail-server.ts'
import { freePort } from '../support/product.ts'
import { CLAIM_LINES, claimPanel, completedOrder } from './claims-fixture.ts'
import { pressEach, watch } from './double-press-run.ts'
import { createOrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import { type OwnProduct, startProduct } from './product.ts'

const ADDRESS = 'analista@marca.exemplo'
let product: OwnProduct
let port = 0
test.beforeAll(async () => {
  port = await freePort()
  product = await startProduct({ SMTP_URL: `smtp://127.0.0.1:${port}` })
})
test.afterAll(() => product?.stop())

/** The worker's next attempt to send the mail is its last one, and begins now. */
async function lastAttempt() {
  const client = new Client({ connectionString: product.databaseUrl })
  await client.connect()
  try {
    await client.query(`update graphile_worker._private_jobs set attempts = max_attempts - 1, run_at = now()
      where key like 'mail:%' and locked_at is null`)
  } finally {
    await client.end()
  }
}

test('a mail to the brand that failed for good is shown and sent anew with one press, the dossier attached', async ({
  page,
}) => {
  const fixture = await createOrderFixture(product)
  await fixture.patch(`/brands/${fixture.brand('Honda')}`, {
    submission_channel: 'email',
    submission_email: ADDRESS,
  })
  const order = await completedOrder(product, fixture, '000905')
  const { id } = await fixture.post(`/service-orders/${order}/claims`, { type: 'normal', lines: CLAIM_LINES })
  const watched = await watch(page)
  await openSignedIn(page, product, product.firstSuperuser)
  await page.goto(`${product.url}/os/${order}?tab=garantia`)
  await page.getByRole('button', { name: 'Enviar à marca' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar à marca' }).click()
  const panel = claimPanel(page, '000905-1')
  await expect(panel.locator('.badge').first()).toHaveText('Enviada', { timeout: 60_000 })
  await expect(async () => {
    await lastAttempt()
    expect((await fixture.get(`/claims/${id}`)).mail_failed_at).not.toBeNull()
  }).toPass({ timeout: 60_000 })

  // The open page is told.
  await expect(panel.getByRole('alert')).toContainText(/O e-mail à marca não saiu, .*ECONNREFUSED/)
  await page.getByRole('button', { name: /^Notificações/ }).click()
  await expect(page.getByRole('menuitem', { name: /O e-mail da solicitação .* OS 000905/ })).toBeVisible()
  await page.goto(`${product.url}/prazos?kind=mail`)
  await expect(page.getByRole('row', { name: /000905/ })).toContainText('E-mail que não saiu')
  await page.goto(`${product.url}/solicitacoes`)
  await expect(page.getByRole('row', { name: /000905-1/ })).toContainText('E-mail não saiu')

  const server = await startMailServer(port)
  try {
    await pressEach(page, product, watched, [
      {
        path: `/os/${order}?tab=garantia`,
        prepare: async () => undefined,
        button: () => panel.getByRole('button', { name: 'Enviar de novo' }),
        call: 'claims.resendMail',
        message: 'E-mail enviado de novo',
      },
    ])
    await expect.poll(() => server.to(ADDRESS).length, { timeout: 30_000 }).toBe(1)
    const [mail] = server.to(ADDRESS)
    expect(mail?.text).toContain('O dossiê vai anexado (os_000905_dossie_1.zip')
    expect(mail?.attachments).toMatchObject([{ filename: 'os_000905_dossie_1.zip' }])
  } finally {
    await server.stop()
  }
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Histórico' }).click()
  await expect(page.getByText('E-mail da solicitação enviado de novo')).toHaveCount(1)
})
