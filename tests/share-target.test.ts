import { readFileSync } from 'node:fs'
import { FORMAT_NAMES, FORMATS } from '@garantia/shared/evidence/formats'
import { expect, test } from 'vitest'

const manifest = JSON.parse(
  readFileSync(new URL('../client/public/manifest.webmanifest', import.meta.url), 'utf8'),
)

test('the app is offered for every format of evidence that another app shares', () => {
  const { action, method, enctype, params } = manifest.share_target
  expect([action, method, enctype]).toEqual(['/compartilhar', 'POST', 'multipart/form-data'])
  const [{ name, accept }] = params.files
  expect(name).toBe('files')
  const accepts = (mime: string) => accept.includes(mime) || accept.includes(mime.replace(/\/.*/, '/*'))
  expect(FORMAT_NAMES.filter((format) => !accepts(FORMATS[format].mime))).toEqual([])
})
