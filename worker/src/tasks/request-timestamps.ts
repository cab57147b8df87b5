import { stampJournal } from '@garantia/server/features/records/chain'
import { stampDossiers } from '@garantia/server/features/records/dossier'
import type { Job } from '../task.ts'

/** Runs with every seal and every hour: what an authority has not given is asked for again, for thirty days. */
export const requestTimestamps: Job<'request-timestamps'> = async (ctx) => {
  const { stamped, error } = await stampDossiers(ctx)
  if (stamped > 0) ctx.log.info({ dossiers: stamped }, 'dossiês carimbados')
  if (error) {
    ctx.log.warn({ error }, 'a autoridade de carimbo de tempo não carimbou')
    return
  }
  const entry = await stampJournal(ctx)
  if (entry) ctx.log.info(entry, 'diário da trilha carimbado')
}
