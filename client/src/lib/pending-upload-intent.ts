import { postponeNewVersion } from './app-version.ts'

let pending: number | undefined

/** The user navigates to this order's page in order to upload. */
export const setPendingUploadIntent = (order_id: number) => {
  pending = order_id
  postponeNewVersion()
}

/** True once, so that neither Back nor a reload opens the upload again. */
export const takePendingUploadIntent = (order_id: number) => {
  const isWanted = pending === order_id
  pending = undefined
  return isWanted
}
