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
  await ctx.db
    .insertInto('part_returns')
    .values({ claim_id: id, line_id, place: `Caixa de ${name}`.slice(0, 60), note: `${name} quer a peça` })
    .onConflict((conflict) => conflict.column('line_id').doUpdateSet({ note: `${name} quer a peça` }))
    .execute()
  await remittanceNaming(ctx, id, name)
  return id
}

/** A remittance whose sheet says the name beside the order, as those of brands do, and a line that a person left. */
async function remittanceNaming(ctx: TestApp['kernel']['ctx'], claim_id: number, name: string) {
  const { company_id, brand_id } = await ctx.db
    .selectFrom('claims')
    .where('id', '=', claim_id)
    .select(['company_id', 'brand_id'])
    .executeTakeFirstOrThrow()
  const headings = ['OS', 'Cliente', 'Valor']
  const remittance = await ctx.db
    .insertInto('remittances')
    .values({
      ...{ company_id, brand_id, actor_name: 'Teste', filename: `Pago ${name}.csv`, status: 'undone' },
      sha256: `e${claim_id}`.padEnd(64, '0'),
      ...{ headings, undone_at: new Date(), undo_reason: `${name} não é desta marca` },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cells = ['000901', name, '10,00']
  await ctx.db
    .updateTable('remittances')
    .set({ sample: JSON.stringify([cells]), rows: JSON.stringify([{ line: 2, cells }]) })
    .where('id', '=', remittance.id)
    .execute()
  await ctx.db
    .insertInto('remittance_lines')
    .values({
      ...{ remittance_id: remittance.id, company_id, line: 1, fingerprint: `${claim_id}`.padStart(64, '0') },
      ...{ document: `NF ${name}`, amount: 10, outcome: 'unknown', difference: 'unknown' },
      ...{ resolution: 'ignored', resolution_note: `${name} pagou`, resolved_at: new Date() },
    })
    .execute()
}
