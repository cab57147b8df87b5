let pendingOrderId: number | undefined

/** The user navigates to this order's page in order to upload. */
export const setPendingUploadIntent = (id: number) => {
  pendingOrderId = id
}

/** Returns the intent once and clears it, so that neither Back nor a reload opens the upload again. */
export const takePendingUploadIntent = (id: number) => {
  const isForThisOrder = pendingOrderId === id
  pendingOrderId = undefined
  return isForThisOrder
}
