import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { pdf, photo, video } from '../support/media.ts'
import { openProduct, type Product } from './product.ts'
import { execFileAsync, temporary } from './ui-steps.ts'

let product: Product
test.beforeAll(async () => {
  product = await openProduct()
})

test('the script of docs/api.md does the main job over REST alone', async () => {
  const readme = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const script = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const dir = await temporary()
  await mkdir(join(dir, 'obra'))
  await writeFile(join(dir, 'garantia.sh'), script)
  const files = [await photo(dir), await pdf(dir), await video(dir, { seconds: 1, noise: 0 })]
  const { stdout } = await execFileAsync('sh', [join(dir, 'garantia.sh'), 'honda', '000777', ...files], {
    cwd: join(dir, 'obra'),
    env: {
      ...process.env,
      GARANTIA_URL: product.url,
      GARANTIA_USER: product.firstSuperuser.email,
      GARANTIA_PASSWORD: product.firstSuperuser.password,
    },
  })
  expect(stdout.match(/: OK$/gm)).toHaveLength(4)
  const zips = (await readdir(join(dir, 'obra'))).filter((name) => /^os_\d+_evidencias\.zip$/.test(name))
  expect(zips).toHaveLength(1)
  const { size } = await stat(join(dir, 'obra', zips[0] ?? ''))
  expect(size).toBeLessThanOrEqual(10_000_000)
})
