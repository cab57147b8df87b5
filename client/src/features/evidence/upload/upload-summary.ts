import { isUnderWay, type UploadItem, type UploadState } from './upload-item.ts'

export interface UploadSummary {
  total: number
  unsent: number
  under_way: number
  offline: number
  paused: number
  sent: number
  already_there: number
  refused: number
  failed: number
  bytes: number
  loaded: number
  bytes_per_second: number
}

export function summaryOf(items: readonly UploadItem[]): UploadSummary {
  const count = (state: UploadState) => items.filter((item) => item.state === state).length
  const sum = (of: (item: UploadItem) => number) => items.reduce((sum, item) => sum + of(item), 0)
  const isTried = ({ state }: UploadItem) => state !== 'refused'
  return {
    total: items.length,
    unsent: count('chosen'),
    under_way: items.filter(isUnderWay).length,
    offline: count('offline'),
    paused: count('paused'),
    sent: count('sent'),
    already_there: count('already_there'),
    refused: count('refused'),
    failed: count('failed'),
    bytes: sum((item) => (isTried(item) ? item.file.size : 0)),
    loaded: sum((item) => (isTried(item) ? Math.min(item.loaded, item.file.size) : 0)),
    bytes_per_second: sum((item) => (item.state === 'sending' ? item.bytes_per_second : 0)),
  }
}

/** Problems first, finished files last; within each group in the order in which they were chosen. */
export const byUrgency = (items: readonly UploadItem[]) =>
  items.toSorted((one, other) => URGENCY[one.state] - URGENCY[other.state])

const URGENCY: Record<UploadState, number> = {
  refused: 0,
  failed: 0,
  sending: 1,
  offline: 1,
  retrying: 1,
  paused: 1,
  queued: 2,
  chosen: 2,
  already_there: 3,
  sent: 3,
}
