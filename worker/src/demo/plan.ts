import type { OrderStatus } from '@garantia/shared/orders/status'
import { COMPLAINTS, type Complaint } from './complaints.ts'
import { COLLEAGUES, customer, DEALERSHIPS } from './people.ts'
import { seededRandom } from './random.ts'
import { LAST_MAKE, MAKES, vehicle } from './vehicles.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** How many orders end where, and how many days ago they were opened. */
const STATUSES: readonly (readonly [OrderStatus, count: number, since: number, until: number])[] = [
  ['created', 18, 0, 6],
  ['pending_upload', 30, 0, 34],
  ['in_progress', 8, 0, 1],
  ['ready', 36, 1, 55],
  ['pending', 14, 4, 80],
  ['in_analysis', 20, 2, 70],
  ['completed', 60, 8, 125],
  ['cancelled', 14, 8, 100],
]
export const ORDERS_PLANNED = STATUSES.reduce((sum, [, count]) => sum + count, 0)
const FIRST_NUMBER = 104_200

export interface PlannedOrder {
  os_number: string
  status: OrderStatus
  opened_at: Date
  dealership: string
  technician: string
  manager: string
  brand: string
  vehicle: ReturnType<typeof vehicle>
  customer: ReturnType<typeof customer>
  complaint: Complaint
  /** Where this order's pictures take their chance from. */
  seed: string
}

/** Two hundred orders up to this moment: the same for the same moment. */
export function planOrders(now: Date): PlannedOrder[] {
  const luck = seededRandom('garantia')
  const openings = STATUSES.flatMap(([status, count, since, until]) =>
    Array.from({ length: count }, () => ({
      status,
      opened_at: workingMoment(now, luck.between(since, until), luck.next()),
    })),
  ).sort((a, b) => a.opened_at.getTime() - b.opened_at.getTime())
  const technicians = COLLEAGUES.filter(({ role }) => role === 'technician')
  const planned = openings.map(({ status, opened_at }, place) => {
    const technician = luck.oneOf(technicians)
    const dealership = DEALERSHIPS.find(({ key }) => key === technician.dealership) ?? DEALERSHIPS[0]
    const make = chosenMake(luck.between(0, 100))
    return {
      os_number: String(FIRST_NUMBER + place * 3 + luck.whole(0, 2)),
      status,
      opened_at,
      dealership: technician.dealership,
      technician: technician.email,
      manager: technician.manager ?? '',
      brand: make.slug,
      vehicle: vehicle(luck, make, opened_at.getFullYear()),
      customer: customer(luck, dealership?.area ?? '11'),
      complaint: luck.oneOf(COMPLAINTS),
      seed: `os ${place}`,
    }
  })
  return inTurn(planned)
}

/** By the shares of the makes in a hundred. */
function chosenMake(mark: number) {
  let rest = mark
  const make = MAKES.find(({ share }) => {
    rest -= share
    return rest < 0
  })
  return make ?? LAST_MAKE
}

/** Between eight and six of a day that is no Sunday, in São Paulo, and not in the future. */
function workingMoment(now: Date, days_ago: number, share: number) {
  const day = new Date(now.getTime() - days_ago * DAY_MS)
  if (day.getUTCDay() === 0) day.setTime(day.getTime() - DAY_MS)
  day.setUTCHours(11, 0, 0, 0)
  const at = new Date(day.getTime() + share * 10 * 60 * MINUTE_MS)
  return at > now ? new Date(now.getTime() - (5 + share * 90) * MINUTE_MS) : at
}

/** A few of each status first, the newest of them; what takes long comes in the background. */
function inTurn(orders: PlannedOrder[]) {
  const place = new Map<OrderStatus, number>()
  const ranked = orders.toReversed().map((order) => {
    const rank = (place.get(order.status) ?? 0) + 1
    place.set(order.status, rank)
    const all = STATUSES.find(([status]) => status === order.status)?.[1] ?? 1
    return { order, at: rank <= 3 ? rank : 3 + (rank / all) * 100 }
  })
  return ranked.sort((a, b) => a.at - b.at).map(({ order }) => order)
}
