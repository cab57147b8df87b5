/** The packages of several orders in one ZIP: how many orders and bytes at most, and for how many hours. */
export const ARCHIVE_LIMITS = { orders: 200, bytes: 5_000_000_000, hours: 24 } as const

export const ARCHIVE_STATUSES = ['queued', 'building', 'ready', 'failed'] as const
export type ArchiveStatus = (typeof ARCHIVE_STATUSES)[number]
export const isBeingBuilt = (status: ArchiveStatus) => status === 'queued' || status === 'building'
