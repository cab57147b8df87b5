let pendingOrderId: number | undefined

/** Somebody comes to the page of this order to upload. */
export const setPendingUploadIntent = (id: number) => {
  pendingOrderId = id
}

/** Once, on arrival: neither Back nor a reload asks again. */
export const takePendingUploadIntent = (id: number) => {
  const isForThisOrder = pendingOrderId === id
  pendingOrderId = undefined
  return isForThisOrder
}
