import { testBehind } from '../support/behind-proxy.ts'
import { startCaddy } from '../support/proxy.ts'

await testBehind(startCaddy)
