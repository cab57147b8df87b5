/**
 * Gives the memory of bytes back at once. Left to the collector, every few megabytes that came and went cost it a
 * walk through the whole heap. Nobody may read or write them any more, no native code either.
 */
export function release({ buffer, length }: Uint8Array) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}
