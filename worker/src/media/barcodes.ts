import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { release } from '@garantia/shared/memory'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { inMemory, type Pixels } from './pixels.ts'

/** Formats of labels on parts. Others are left out: each one more is one more way to read what is not there. */
const FORMATS = ['QRCode', 'DataMatrix', 'Code128', 'Code39', 'EAN13'] as const
const MOST_CODES = 8

export interface Barcode {
  text: string
  corners: { x: number; y: number }[]
}

let prepared: Promise<unknown> | undefined
/** Without the file at hand the package would ask another host for it. */
const prepare = () => {
  prepared ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then(
    ({ buffer, byteOffset, byteLength }) =>
      prepareZXingModule({
        overrides: { wasmBinary: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer },
        fireImmediately: true,
      }),
  )
  return prepared
}

/** QR codes, DataMatrix and bar codes in a picture. */
export async function barcodesIn({ data, raw }: Pixels): Promise<Barcode[]> {
  await prepare()
  const pixels = await inMemory(sharp(data, { raw }).ensureAlpha())
  const { width, height } = pixels.raw
  const image = { data: new Uint8ClampedArray(pixels.data.buffer), width, height, colorSpace: 'srgb' }
  const codes = await readBarcodes(image, {
    formats: [...FORMATS],
    maxNumberOfSymbols: MOST_CODES,
    tryHarder: true,
  })
  release(pixels.data)
  return codes
    .filter(({ isValid, text }) => isValid && text !== '')
    .map(({ text, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
      text,
      corners: [topLeft, topRight, bottomRight, bottomLeft],
    }))
}
