import { testBehind } from '../support/behind-proxy.ts'
import { startNginx } from '../support/proxy.ts'

await testBehind(startNginx)
