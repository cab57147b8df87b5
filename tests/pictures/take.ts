import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { startProduct } from '../support/product.ts'
import { takeManual, takeSignIn } from './manual.ts'

/**
 * Takes the pictures of the README and of the manual from a demonstration: its own, or the one running at
 * GARANTIA_URL (with DEMO_PASSWORD).
 */
const OUTPUT_DIR = fileURLToPath(new URL('../../client/pictures', import.meta.url))
const MANUAL_DIR = fileURLToPath(new URL('../../docs/ajuda/imagens', import.meta.url))
const MOST_BYTES = 150_000
/** Some thirty in each theme, which must stay below 2 MB together (tests/manual.test.ts). */
const MOST_MANUAL_BYTES = 62_000
const SIZE = { width: 1440, height: 900 }
const MANUAL_SIZE = { width: 1280, height: 800 }
/** Longest wait between two orders, and from the last one to the end of its conversions. */
const LONGEST_PAUSE_MS = 6 * 60_000
const HELENA = 'helena@demo.example'
const { GARANTIA_URL, DEMO_PASSWORD = 'senha-das-fotografias', CHROMIUM_PATH } = process.env

const say = (text: string) => process.stderr.write(`${text}\n`)
const product = GARANTIA_URL ? null : await startProduct({ DEMO_PASSWORD }, ['--demo'])
const url = GARANTIA_URL ?? product?.url ?? ''
const browser = await chromium.launch({ ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }) })
try {
  const token = await signIn()
  await filled(token)
  await mention(token)
  for (const folder of [OUTPUT_DIR, join(MANUAL_DIR, 'escuro')]) mkdirSync(folder, { recursive: true })
  await inTheme(browser, 'dark', async (page) => {
    await page.goto(`${url}/dashboard`)
    await page.getByRole('img', { name: /Ordens por marca/ }).waitFor()
    await saveScreenshot(page, 'dashboard')
    await page.goto(`${url}/lista-os`)
    await page.getByRole('row').nth(5).waitFor()
    await saveScreenshot(page, 'lista')
    await page.goto(`${url}/os/${await bestOrder(token)}?tab=evidencias`)
    await page.locator('.evidence-grid img, .evidence-card img').first().waitFor()
    await saveScreenshot(page, 'evidencias')
  })
  await inTheme(browser, 'light', async (page) => {
    await page.goto(`${url}/lista-os?status=ready,in_analysis,pending`)
    await page.getByRole('row').nth(5).waitFor()
    await saveScreenshot(page, 'lista-clara')
  })
  const shown = {
    url,
    ready: await bestOrder(token),
    lacking: await firstOrder(token, 'pending_upload'),
    completed: await firstOrder(token, 'completed'),
    claimed: await orderWithClaims(token),
  }
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(
      browser,
      theme,
      (page) => takeManual({ ...shown, page, save: forManual(page, theme) }),
      MANUAL_SIZE,
    )
    await inTheme(
      browser,
      theme,
      (page) => takeSignIn({ page, url, save: forManual(page, theme) }),
      MANUAL_SIZE,
      null,
    )
  }
} finally {
  await browser.close()
  await product?.stop()
}

async function signIn(username = HELENA) {
  const answer = await fetch(`${url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: DEMO_PASSWORD }),
  })
  if (!answer.ok)
    throw new Error('Ninguém da demonstração pôde entrar: confira GARANTIA_URL e DEMO_PASSWORD.')
  return ((await answer.json()) as { access_token: string }).access_token
}

async function ask<T>(token: string, path: string): Promise<T> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as T
}

/** A manager mentions Helena, so that she has a notification. */
async function mention(token: string) {
  const manager = await signIn('marcos@demo.example')
  const [{ items }, { id }] = await Promise.all([
    ask<{ items: { id: number }[] }>(manager, '/api/v1/service-orders?status=ready&limit=1'),
    ask<{ id: number }>(token, '/api/v1/users/me'),
  ])
  const answer = await fetch(`${url}/trpc/comments.add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manager}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      id: items[0]?.id,
      comment: '@Helena Prado o cliente pediu para antecipar a entrega. Podemos concluir hoje?',
      mentions: [id],
    }),
  })
  if (!answer.ok) throw new Error(`O comentário não foi aceito: ${answer.status}`)
}

/** Waits until all orders exist and none is being converted any more. */
async function filled(token: string) {
  for (let reported = -1, since = Date.now(); Date.now() - since < LONGEST_PAUSE_MS; ) {
    const { result } = await ask<{
      result: { data: { orders: number; orders_planned: number; is_filled: boolean } }
    }>(token, '/trpc/demo.read')
    const { orders, orders_planned, is_filled } = result.data
    if (is_filled) return
    if (orders !== reported) {
      say(`${orders} de ${orders_planned} OS`)
      reported = orders
      since = Date.now()
    }
    await new Promise((resolve) => setTimeout(resolve, 5_000))
  }
  throw new Error(`A demonstração parou de encher.\n${product?.output() ?? ''}`)
}

async function firstOrder(token: string, status: string) {
  const { items } = await ask<{ items: { id: number }[] }>(
    token,
    `/api/v1/service-orders?status=${status}&limit=1`,
  )
  const [order] = items
  if (!order) throw new Error(`A demonstração não tem OS com o status ${status}`)
  return order.id
}

/** The order of the newest appeal, which has the claim before it as well. */
async function orderWithClaims(token: string) {
  const { items } = await ask<{ items: { order_id: number }[] }>(token, '/api/v1/claims?type=appeal&limit=1')
  const [claim] = items
  if (!claim) throw new Error('A demonstração não tem reconsideração')
  return claim.order_id
}

/** The order with the most content, including a video. */
async function bestOrder(token: string) {
  const { items } = await ask<{ items: { id: number }[] }>(
    token,
    '/api/v1/service-orders?status=ready&limit=100',
  )
  let best = { id: 0, worth: -1 }
  for (const { id } of items) {
    const { evidence_files: files } = await ask<{ evidence_files: { file_type: string }[] }>(
      token,
      `/api/v1/evidence/${id}/evidence`,
    )
    const worth = files.length + (files.some(({ file_type }) => file_type === 'video') ? 10 : 0)
    if (worth > best.worth) best = { id, worth }
  }
  return best.id
}

/** Opens a page in this theme, signed in unless `given` is null. */
async function inTheme(
  browser: Browser,
  theme: 'dark' | 'light',
  work: (page: Page) => Promise<void>,
  viewport = SIZE,
  given?: null,
) {
  const context = await browser.newContext({
    viewport,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const token = given === null ? null : await signIn()
  await page.addInitScript(
    ([token, theme]) => {
      if (token !== null) localStorage.setItem('access_token', token)
      localStorage.setItem('theme', theme)
    },
    [token, theme] as const,
  )
  await work(page)
  await context.close()
}

function forManual(page: Page, theme: 'dark' | 'light') {
  const folder = theme === 'dark' ? join(MANUAL_DIR, 'escuro') : MANUAL_DIR
  return (name: string) => saveScreenshot(page, name, folder, MOST_MANUAL_BYTES)
}

/** Saves a screenshot without animations, at the best quality that fits. */
async function saveScreenshot(page: Page, name: string, folder = OUTPUT_DIR, most = MOST_BYTES) {
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  // What fades in would be half transparent; endless movements, such as spinners, never finish.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity),
  )
  await page.mouse.move(700, 4)
  const taken = await page.screenshot({ animations: 'disabled' })
  for (let quality = 90; quality >= 26; quality -= 8) {
    const picture = await sharp(taken).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (picture.length > most) continue
    writeFileSync(join(folder, `${name}.webp`), picture)
    say(`${name}.webp: ${Math.round(picture.length / 1024)} KB`)
    return
  }
  throw new Error(`${name} não coube em ${most} bytes`)
}
