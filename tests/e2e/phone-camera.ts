import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { CHROMIUM_ARGS } from '../support/chromium.ts'
import { button, COMPLETE_ORDER, type OrderFixture } from './order-fixture.ts'
import { openSignedIn } from './page-helpers.ts'
import type { Product } from './product.ts'
import { expectPrimaryButtonReachable, newPhonePage } from './touch.ts'
import { temporary } from './ui-steps.ts'

export const FAKE_CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** The guided camera over the page of an order. */
export const camera = (page: Page) => page.getByRole('dialog', { name: /^Fotografar a OS/ })
export const taken = (page: Page) =>
  camera(page).getByRole('list', { name: 'Fotos desta vez' }).getByRole('listitem')

/** Opens a new order in a browser on a phone whose camera shows what Chromium's fake device, or a video, has. */
export async function onPhone(
  { product, fixture }: { product: Product; fixture: OrderFixture },
  os_number: string,
  video: string | null,
  use: (page: Page, id: number) => Promise<void>,
) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: [
      ...CHROMIUM_ARGS,
      ...FAKE_CAMERA,
      ...(video ? [`--use-file-for-fake-video-capture=${video}`] : []),
    ],
  })
  try {
    const { id } = await fixture.order({ os_number, ...COMPLETE_ORDER, vehicle_plate: 'BRA2E19' })
    const page = await newPhonePage(browser)
    // Drawing eight megapixels thirty times a second takes both processors.
    await page.addInitScript(() => {
      const { mediaDevices } = navigator
      const open = mediaDevices?.getUserMedia.bind(mediaDevices)
      if (open)
        mediaDevices.getUserMedia = ({ audio = false } = {}) =>
          open({ audio, video: { width: 640, height: 480 } })
    })
    await openSignedIn(page, product, product.firstSuperuser)
    await page.goto(`${product.url}/os/${id}?tab=evidencias`)
    await expectPrimaryButtonReachable(page, 'Fotografar o que falta')
    await button(page, 'Fotografar o que falta').tap()
    await use(page, id)
  } finally {
    await browser.close()
  }
}

/** A video of one picture, as Chromium's fake device takes it. */
export async function videoOf(path: string) {
  const video = join(await temporary(), 'camera.mjpeg')
  const picture = await readFile(path)
  await writeFile(video, Buffer.concat(Array.from({ length: 10 }, () => picture)))
  return video
}
