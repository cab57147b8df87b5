import { useSyncExternalStore } from 'react'
import { byOrder, isUnderWay, type UploadItem } from './upload-item.ts'
import { uploads } from './uploads.ts'

/** The categories of an order's files that were sent off and have not arrived, for each file one. */
export const waitingCategories = (items: readonly UploadItem[], order_id: number): string[] =>
  items
    .filter(byOrder(order_id))
    .filter((item) => isUnderWay(item) || item.state === 'paused')
    .flatMap(({ fields }) => fields.category ?? [])

export const useWaitingCategories = (order_id: number) =>
  waitingCategories(useSyncExternalStore(uploads.subscribe, uploads.items), order_id)
