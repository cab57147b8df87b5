/**
 * The program of the container that decodes: starts decoding processes for the workers that reach its socket. It has no
 * secret, and needs no network.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import {
  openLog,
  openScratch,
  readDecoderConfig,
  startOrExplain,
  whenAskedToStop,
} from '@garantia/server/kernel'
import { ISOLATION_TEXT, type Isolation } from '@garantia/shared/isolation'
import { localHost } from './place.ts'
import { decoderService } from './service.ts'

const config = await startOrExplain(async () => readDecoderConfig())
const log = openLog(config.LOG_LEVEL, 'leitor')
const closing: (() => Promise<unknown>)[] = []
whenAskedToStop(async () => {
  for (const close of closing.reverse()) await close()
})

await startOrExplain(async () => {
  const scratch = await openScratch(config.scratch_dir)
  closing.push(() => scratch.close())
  const host = localHost({ config, scratch, log })
  const sandbox = await host.isolation()
  const isolation: Isolation = sandbox === 'limited' && (await hasNoNetwork()) ? 'container' : sandbox
  const server = decoderService({ host, isolation })
  const socket = config.DECODER_SOCKET
  // A killed one has left its own.
  await rm(socket, { force: true })
  await once(server.listen(socket), 'listening')
  await chmod(socket, 0o600)
  closing.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  log.info({ socket }, `pronto; leitura de arquivos: ${ISOLATION_TEXT[isolation]}`)
})

/** Whether this process reaches nobody: it may open no socket of the internet, or has no interface but the loopback. */
async function hasNoNetwork() {
  const socket = createSocket('udp4')
  const refused = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(true))
    socket.bind(0, '127.0.0.1', () => resolve(false))
  })
  socket.close()
  return (
    refused || Object.values(networkInterfaces()).every((each) => each?.every(({ internal }) => internal))
  )
}
