import { isUnderWay, type UploadItem } from './upload-queue.ts'

export interface UploadSummary {
  total: number
  unsent: number
  under_way: number
  sent: number
  already_there: number
  refused: number
  failed: number
  bytes: number
  loaded: number
  bytes_per_second: number
}

export function summaryOf(items: readonly UploadItem[]): UploadSummary {
  const count = (isCounted: (item: UploadItem) => boolean) => items.filter(isCounted).length
  const isTried = (item: UploadItem) => item.state !== 'refused'
  return {
    total: items.length,
    unsent: count(({ state }) => state === 'chosen'),
    under_way: count(isUnderWay),
    sent: count(({ state }) => state === 'sent'),
    already_there: count(({ state }) => state === 'already_there'),
    refused: count(({ state }) => state === 'refused'),
    failed: count(({ state }) => state === 'failed'),
    bytes: items.filter(isTried).reduce((sum, { file }) => sum + file.size, 0),
    loaded: items.filter(isTried).reduce((sum, { loaded, file }) => sum + Math.min(loaded, file.size), 0),
    bytes_per_second: items.reduce(
      (sum, item) => sum + (item.state === 'sending' ? item.bytes_per_second : 0),
      0,
    ),
  }
}
