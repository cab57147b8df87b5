import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { isQuick, options } from './options.ts'
import { KEPT_CLUSTER, openOrders } from './orders-database.ts'
import { record } from './record.ts'
import { bench, median, SERVER } from './support.ts'

/**
 * What a user waits for at a million orders: first paint, keys, filters, pages and opening an order, in a
 * real Chromium against the real server. `CHROMIUM_PATH` names the browser.
 */
const ORDERS = options.sizes?.[0] ?? (isQuick ? 2_000 : 1_000_000)
const ROUNDS = options.rounds ?? (isQuick ? 2 : 7)
const KEYS = 20
/** The dashboard polls every 30 s. */
const POLL_MS = 33_000

interface Vitals {
  fcp: number
  lcp: number
  shift: number
}
const samples = new Map<string, number[]>()
const measured = (name: string, ms: number) => samples.set(name, [...(samples.get(name) ?? []), ms])

/** Records paints and layout shifts from the start; shifts after an input count too. */
const WATCH = `
  window.vitals = { fcp: 0, lcp: 0, shift: 0 }
  new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.name === 'first-contentful-paint') vitals.fcp = e.startTime }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => { for (const e of list.getEntries()) vitals.lcp = e.startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const e of list.getEntries()) vitals.shift += e.value }).observe({ type: 'layout-shift', buffered: true })
`

const vitalsOf = (page: Page) => page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
const rows = (page: Page) => page.locator('.data-table tbody tr[data-row]')

async function visit(context: BrowserContext, url: string, isThere: (page: Page) => Promise<unknown>) {
  const page = await context.newPage()
  const start = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await isThere(page)
  const content = performance.now() - start
  // The largest paint is final once nothing larger follows.
  await page.waitForTimeout(500)
  return { page, content, vitals: await vitalsOf(page) }
}

/** From the timestamp of the key event to the frame after the change. */
const keyToPaint = (page: Page, key: string) =>
  page
    .evaluate(() => {
      const { resolve, promise } = Promise.withResolvers<number>()
      window.addEventListener(
        'keydown',
        ({ timeStamp }) =>
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))),
        { once: true, capture: true },
      )
      Object.assign(window, { painted: promise })
    })
    .then(() => page.keyboard.press(key))
    .then(() => page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted))

/** From the action until the list has other rows and is loaded. */
async function untilOtherRows(page: Page, act: () => Promise<unknown>) {
  const before = await page.locator('.data-table tbody').textContent()
  const start = performance.now()
  await act()
  await page.waitForFunction((text) => {
    const list = document.querySelector('.data-table')
    const body = list?.querySelector('tbody')?.textContent
    return list?.getAttribute('aria-busy') === 'false' && body && body !== text
  }, before)
  return performance.now() - start
}

async function round(context: BrowserContext, url: string, plate: string) {
  const list = await visit(context, `${url}/lista-os`, (page) => rows(page).first().waitFor())
  measured('list, first paint', list.vitals.fcp)
  measured('list: largest contentful paint', list.vitals.lcp)
  measured('list: rows on the screen', list.content)
  measured('list: shift while loading (CLS)', list.vitals.shift)
  const { page } = list
  await page.keyboard.press('j')
  for (let i = 0; i < KEYS; i++) measured('key, median', await keyToPaint(page, i % 9 < 5 ? 'j' : 'k'))
  measured('list: next page', await untilOtherRows(page, () => page.keyboard.press(']')))
  measured(
    'list: filter by status',
    await untilOtherRows(page, async () => {
      await page.getByRole('button', { name: /^Status: / }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Em Análise' }).click()
      await page.keyboard.press('Escape')
    }),
  )
  measured(
    'list: clear the filter',
    await untilOtherRows(page, () => page.getByRole('button', { name: 'Limpar Filtros' }).click()),
  )
  measured(
    'list: find a plate (with the pause after typing)',
    await untilOtherRows(page, () => page.getByRole('searchbox').fill(plate)),
  )
  await page.waitForTimeout(300)
  measured('list: shift while filtering and paging (CLS)', (await vitalsOf(page)).shift - list.vitals.shift)
  const start = performance.now()
  await rows(page).first().click()
  await page.getByRole('heading', { name: /^OS \d{6}$/ }).waitFor()
  measured('list: open an order', performance.now() - start)
  await page.close()

  const detail = await visit(context, `${url}/os/${ORDERS - 7}`, (page) =>
    page.getByRole('heading', { name: /^OS \d{6}$/ }).waitFor(),
  )
  measured('order: first contentful paint', detail.vitals.fcp)
  measured('order: largest contentful paint', detail.vitals.lcp)
  measured('order: on the screen', detail.content)
  measured('order: shift while loading (CLS)', detail.vitals.shift)
  measured('order: key Alt+2 or Alt+1 to paint', await keyToPaint(detail.page, 'Alt+2'))
  await detail.page.close()
}

async function polled(context: BrowserContext, url: string) {
  const { page, vitals, content } = await visit(context, `${url}/dashboard`, (page) =>
    page.getByRole('img', { name: /Ordens abertas por dia/ }).waitFor(),
  )
  measured('dashboard: first contentful paint', vitals.fcp)
  measured('dashboard: figures and charts on the screen', content)
  measured('dashboard: shift while loading (CLS)', vitals.shift)
  await page.waitForTimeout(POLL_MS)
  measured('dashboard: shift while polling (CLS)', (await vitalsOf(page)).shift - vitals.shift)
  await page.close()
}

await bench(
  'In the browser',
  async (benchContext) => {
    const { tokens, plain, start } = await openOrders(benchContext, ORDERS)
    const { rows: found } = await plain.query<{ vehicle_plate: string }>(
      'select vehicle_plate from service_orders where vehicle_plate is not null order by id desc offset 1000 limit 1',
    )
    const server = await start(SERVER)
    const executablePath = process.env.CHROMIUM_PATH
    const browser = await chromium.launch(executablePath ? { executablePath } : {})
    try {
      const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1440, height: 900 } })
      await context.addInitScript({ content: WATCH })
      await context.addInitScript((value) => localStorage.setItem('access_token', value), tokens.admin)
      // The first visit fills the caches of the database.
      await (
        await visit(context, `${server.url}/lista-os`, (page) => rows(page).first().waitFor())
      ).page.close()
      for (let i = 0; i < ROUNDS; i++) await round(context, server.url, found[0]?.vehicle_plate ?? '')
      await polled(context, server.url)
    } finally {
      await browser.close()
    }
    for (const [what, values] of samples)
      record({
        name: `browser, ${what}`,
        size: ORDERS,
        unit: what.includes('shift') ? '' : 'ms',
        product: median(values),
      })
  },
  { cluster: KEPT_CLUSTER },
)
