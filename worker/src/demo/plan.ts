import type { OrderStatus } from '@garantia/shared/orders/status'
import { type Story, storyOf } from './claim-stories.ts'
import { COMPLAINTS, type Complaint } from './complaints.ts'
import { COLLEAGUES, customer, DEALERSHIPS } from './people.ts'
import { seededRandom } from './random.ts'
import { LAST_MAKE, MAKES, vehicle } from './vehicles.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** How many orders end in each status, and the range of days ago in which they were opened. */
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
  /** Seed of the random choices for this order's pictures. */
  seed: string
  /** What happens to its claims, once it is completed. */
  story: Story
  /** The number of another visit of the same vehicle for the same defect. */
  same_defect_as?: string
}

/** Two hundred orders up to `now`; the same `now` gives the same orders. */
export function planOrders(now: Date): PlannedOrder[] {
  const random = seededRandom('garantia')
  const openings = STATUSES.flatMap(([status, count, since, until]) =>
    Array.from({ length: count }, () => ({
      status,
      opened_at: workingTime(now, random.between(since, until), random.next()),
    })),
  ).sort((a, b) => a.opened_at.getTime() - b.opened_at.getTime())
  const technicians = COLLEAGUES.filter(({ role }) => role === 'technician')
  const planned = openings.map(({ status, opened_at }, place) => {
    const technician = random.oneOf(technicians)
    const dealership = DEALERSHIPS.find(({ key }) => key === technician.dealership) ?? DEALERSHIPS[0]
    const make = chosenMake(random.between(0, 100))
    return {
      os_number: String(FIRST_NUMBER + place * 3 + random.whole(0, 2)),
      status,
      opened_at,
      dealership: technician.dealership,
      technician: technician.email,
      manager: technician.manager ?? '',
      brand: make.slug,
      vehicle: vehicle(random, make, opened_at.getFullYear()),
      customer: customer(random, dealership?.area ?? '11'),
      complaint: random.oneOf(COMPLAINTS),
      seed: `os ${place}`,
      story: [],
    }
  })
  return withStories(inTurn(planned))
}

/** Places, among the orders of their status, of the visits that one vehicle made for one defect, the newest first. */
const VISITS: readonly (readonly [OrderStatus, place: number])[] = [
  ['in_analysis', 3],
  ['completed', 14],
  ['completed', 26],
]

/** Gives the completed orders, the newest first, their claims, and one vehicle several visits. */
function withStories(orders: PlannedOrder[]): PlannedOrder[] {
  const of = (status: OrderStatus) => orders.filter((order) => order.status === status)
  const stories = new Map(of('completed').map((order, place) => [order, storyOf(place)]))
  const [latest, ...earlier] = VISITS.flatMap(([status, place]) => of(status)[place] ?? [])
  return orders.map((order) => ({
    ...order,
    story: stories.get(order) ?? [],
    ...(latest && earlier.includes(order) && visitOf(latest, order)),
  }))
}

/** An earlier visit with the vehicle, customer and defect of the latest one, at the same dealership. */
const visitOf = (latest: PlannedOrder, { vehicle }: PlannedOrder): Partial<PlannedOrder> => {
  const { dealership, technician, manager, brand, customer, complaint } = latest
  const vehicle_mileage = Math.max(1, latest.vehicle.vehicle_mileage - (vehicle.vehicle_mileage % 900) - 100)
  return {
    ...{ dealership, technician, manager, brand, customer, complaint },
    vehicle: { ...latest.vehicle, vehicle_mileage },
    same_defect_as: latest.os_number,
  }
}

/** Picks a make by its share; `mark` is 0–100. */
function chosenMake(mark: number) {
  let rest = mark
  const make = MAKES.find(({ share }) => {
    rest -= share
    return rest < 0
  })
  return make ?? LAST_MAKE
}

/**
 * A time between 8 h and 18 h in São Paulo, not on a Sunday; one that is still to come today becomes 5 to 95
 * minutes before `now`.
 */
function workingTime(now: Date, days_ago: number, share: number) {
  const day = new Date(now.getTime() - days_ago * DAY_MS)
  if (day.getUTCDay() === 0) day.setTime(day.getTime() - DAY_MS)
  day.setUTCHours(11, 0, 0, 0)
  const at = new Date(day.getTime() + share * 10 * 60 * MINUTE_MS)
  return at > now ? new Date(now.getTime() - (5 + share * 90) * MINUTE_MS) : at
}

/** The newest few of each status first, so that every status is shown soon; the rest follows. */
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
