import { decideClaim, openClaim } from '@garantia/server/features/claims/claim'
import { payClaim } from '@garantia/server/features/claims/entries'
import type { TestApp } from '../support/test-app.ts'

/** A claim of the order, sent, answered and paid, whose free texts all say this name. */
export async function claimNaming({ kernel: { ctx } }: TestApp, order_id: number, name: string) {
  const { id, lines } = await openClaim(ctx, order_id, {
    type: 'normal',
    note: `${name} pediu`,
    lines: [{ kind: 'third_party', description: `Táxi de ${name}`, supplier: name, claimed: 10 }],
  })
  await ctx.db
    .updateTable('claims')
    .set({ state: 'sent', sent_at: new Date() })
    .where('id', '=', id)
    .execute()
  await ctx.db
    .insertInto('claim_submissions')
    .values({
      claim_id: id,
      n: 1,
      dossier_n: 1,
      channel: 'portal',
      note: `Falar com ${name}`,
      sent_at: new Date(),
      actor_name: 'Teste',
    })
    .execute()
  await decideClaim(ctx, id, { answer: 'returned', brand_words: `Falta a assinatura de ${name}` })
  const line_id = lines[0]?.id ?? 0
  const answer = { line_id, authorised: 5, reason: 'other' as const, brand_words: `${name} não assinou` }
  await decideClaim(ctx, id, { answer: 'decided', lines: [answer] })
  await payClaim(ctx, id, { booked_on: '2026-01-01', lines: [{ line_id, amount: 5 }] })
  const entry = { claim_id: id, line_id, booked_on: '2026-01-01', actor_name: 'Teste' }
  await ctx.db
    .insertInto('claim_entries')
    .values({ ...entry, kind: 'write_off', amount: 1, reason: `Acordo com ${name}` })
    .execute()
  await ctx.db
    .insertInto('visit_facts')
    .values({
      order_id,
      kind: 'loan_car',
      from_on: '2026-01-01',
      note: `Carro a ${name}`,
      actor_name: 'Teste',
    })
    .execute()
  return id
}
