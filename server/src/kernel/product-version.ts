import { readFileSync } from 'node:fs'
import { z } from 'zod'

const PRODUCT = new URL('../../../package.json', import.meta.url)
const withVersion = z.object({ version: z.string() })

/** The version of this product. */
export const productVersion = () => withVersion.parse(JSON.parse(readFileSync(PRODUCT, 'utf8'))).version
