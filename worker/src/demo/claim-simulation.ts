import {
  appealClaim,
  decideClaim,
  openClaim,
  submitClaim,
  withdrawClaim,
} from '@garantia/server/features/claims/claim'
import { debitClaim, payClaim, reconcileClaim, writeOffClaim } from '@garantia/server/features/claims/entries'
import { changePart, partsOfClaim } from '@garantia/server/features/claims/parts'
import type { Ctx } from '@garantia/server/kernel'
import { amountOf, centsOf } from '@garantia/shared/claims/money'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { payableOf, receivedOf, remainderOf } from '@garantia/shared/claims/sums'
import { isoDay } from '@garantia/shared/format'
import type { Answer, Step, Story } from './claim-stories.ts'
import type { Complaint } from './complaints.ts'
import type { SimulatedClock } from './simulated-clock.ts'

interface ClaimedOrder {
  id: number
  os_number: string
  parts_value: number
  service_value: number
  complaint: Complaint
}

const DAY_MS = 86_400_000
const PAUSE_MINUTES = 35

/** Takes the claim of an order, and what follows it, through the steps of its story, by the use cases of the screens. */
export async function simulateClaims(ctx: Ctx, order: ClaimedOrder, story: Story, clock: SimulatedClock) {
  let claim: ClaimView | undefined
  for (const step of story) {
    const at = Date.now() - (step.days_ago ?? 0) * DAY_MS
    const ahead = step.days_ago === undefined ? 0 : (at - clock.now().getTime()) / 60_000
    clock.advance(Math.max(PAUSE_MINUTES, ahead))
    claim =
      step.step === 'open' ? await open(ctx, order) : claim && (await take(ctx, order, claim, step, clock))
  }
}

const open = (ctx: Ctx, { id, complaint: { part, solution }, parts_value, service_value }: ClaimedOrder) =>
  openClaim(ctx, id, {
    type: 'normal',
    lines: [
      {
        kind: 'part',
        description: part.name,
        part_number: part.number,
        quantity: 1,
        is_causal: true,
        claimed: parts_value,
      },
      {
        kind: 'labour',
        description: solution.split('.')[0]?.slice(0, 120) ?? part.name,
        labour_code: `TMO-${part.number.slice(-3)}`,
        hours: 1.5,
        claimed: service_value,
      },
    ],
  })

async function take(
  ctx: Ctx,
  order: ClaimedOrder,
  claim: ClaimView,
  step: Exclude<Step, { step: 'open' }>,
  clock: SimulatedClock,
): Promise<ClaimView> {
  const { id, lines } = claim
  const booked_on = isoDay(clock.now())
  const each = (amountOfLine: (line: ClaimView['lines'][number]) => number) =>
    lines
      .map((line) => ({ line_id: line.id, amount: amountOfLine(line) }))
      .filter(({ amount }) => centsOf(amount) > 0)
  switch (step.step) {
    case 'send':
      return submitClaim(ctx, id, { channel: 'portal', brand_number: brandNumber(order, claim) })
    case 'review':
      return decideClaim(ctx, id, { answer: 'in_review' })
    case 'return':
      return decideClaim(ctx, id, { answer: 'returned', brand_words: step.text })
    case 'decide':
      return decideClaim(ctx, id, decisionOf(claim, step.answer))
    case 'withdraw':
      return withdrawClaim(ctx, id, { reason: step.text })
    case 'pay':
      return payClaim(ctx, id, { booked_on, lines: each((line) => part(payableOf(line), step.share ?? 1)) })
    case 'debit':
      return debitClaim(ctx, id, { booked_on, reason: step.text, lines: each(receivedOf).slice(0, 1) })
    case 'write_off':
      return writeOffClaim(ctx, id, { reason: step.text, lines: each(remainderOf) })
    case 'reconcile':
      return reconcileClaim(ctx, id, { reason: 'Conferido com o demonstrativo da marca.' })
    case 'appeal':
      return appealClaim(ctx, id, { note: step.text })
    case 'supplement':
      return openClaim(ctx, order.id, {
        type: 'supplement',
        previous_id: id,
        note: step.text,
        lines: [{ kind: 'third_party', description: 'Serviço de terceiros', claimed: step.labour }],
      })
    default:
      await moveParts(ctx, id, step.step === 'return_part', booked_on)
      return claim
  }
}

const part = (amount: number, share: number) => amountOf(Math.round(centsOf(amount) * share))
/** As a brand would number it; from the order's number, so that a remittance can name it. */
const brandNumber = ({ os_number }: ClaimedOrder, { n }: ClaimView) => `G${os_number}${n}`

function decisionOf({ lines }: ClaimView, { parts, labour, reason, category, words }: Answer) {
  return {
    answer: 'decided' as const,
    ...(words && { brand_words: words }),
    lines: lines.map(({ id, kind, claimed }) => {
      const share = kind === 'part' ? parts : labour
      return {
        line_id: id,
        authorised: part(claimed, share),
        ...(share < 1 && { reason, evidence_category: category }),
      }
    }),
  }
}

async function moveParts(ctx: Ctx, claim_id: number, isReturned: boolean, day: string) {
  for (const { id } of (await partsOfClaim(ctx, claim_id)).data)
    await changePart(ctx, {
      id,
      place: 'Prateleira B3',
      ...(isReturned && { state: 'received', sent_on: day, received_on: day, carrier: 'Transportes Aurora' }),
    })
}
