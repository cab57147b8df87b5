/**
 * Frees the memory of a typed array at once, instead of leaving it to the garbage collector, which would walk
 * the whole heap every few megabytes. Nothing may use the bytes afterwards, native code included. A view of a
 * larger buffer is left unchanged.
 */
export function release({ buffer, byteLength }: ArrayBufferView) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
