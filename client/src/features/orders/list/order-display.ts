import { formatPlate, maskChassis } from '@garantia/shared/br/vehicle'
import type { OrderRow } from '@garantia/shared/orders/schema'

/** Plate and year; without a plate the end of the chassis, masked. */
export function plateOf({ vehicle_plate, vehicle_chassis, vehicle_year }: OrderRow) {
  const chassis = vehicle_chassis && maskChassis(vehicle_chassis).replace(/^•+/, '…')
  const mark = vehicle_plate ? formatPlate(vehicle_plate) : chassis
  return [mark, vehicle_year].filter(Boolean).join(' · ') || null
}
export const nameOf = ({ os_number }: Pick<OrderRow, 'os_number'>) => `OS ${os_number}`
/** Name of the table; also the key under which its cursor is remembered. */
export const ORDERS_TABLE = 'Ordens de serviço'
