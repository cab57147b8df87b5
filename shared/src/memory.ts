/**
 * Frees the memory of a byte array at once, instead of leaving it to the garbage collector, which would walk
 * the whole heap every few megabytes. Nothing may use the bytes afterwards, native code included. A view of a
 * larger buffer is left unchanged.
 */
export function release({ buffer, length }: Uint8Array) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
