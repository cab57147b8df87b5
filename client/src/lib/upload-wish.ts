let wished: number | undefined

/** Somebody comes to the page of this order to upload. */
export const wishUpload = (id: number) => {
  wished = id
}

/** Once, on arrival: neither Back nor a reload asks again. */
export const takeUploadWish = (id: number) => {
  const isFulfilled = wished === id
  wished = undefined
  return isFulfilled
}
