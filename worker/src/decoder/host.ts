import type { Ctx } from '@garantia/server/kernel'
import { type DecoderHost, localHost } from './place.ts'
import { remoteHost } from './remote.ts'

/** Where this installation decodes: in the container behind DECODER_SOCKET, else on this machine. */
export const decoderHost = (ctx: Ctx): DecoderHost =>
  ctx.config.DECODER_SOCKET ? remoteHost(ctx.config.DECODER_SOCKET) : localHost(ctx)
