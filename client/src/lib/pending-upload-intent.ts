import { postponeNewVersion } from './app-version.ts'

let pending: { order_id: number; files: readonly File[] } | undefined

/** The user navigates to this order's page in order to upload, perhaps files that were chosen before the order. */
export const setPendingUploadIntent = (order_id: number, files: readonly File[] = []) => {
  pending = { order_id, files }
  postponeNewVersion()
}

/** Returns the files of the intent once and clears it, so that neither Back nor a reload opens the upload again. */
export const takePendingUploadIntent = (order_id: number) => {
  const taken = pending
  pending = undefined
  return taken?.order_id === order_id ? taken.files : undefined
}
