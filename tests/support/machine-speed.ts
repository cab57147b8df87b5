/** What a quiet machine of the kind on which the limits of time were set takes for the loop, in ms. */
const QUIET_MS = 20

/** How many times slower than a quiet machine this one computes at the moment, at least 1: a factor for limits of time. */
export function slowness() {
  const times = [1, 2, 3].map(() => {
    const before = performance.now()
    let sum = 0
    for (let n = 0; n < 20_000_000; n++) sum += n
    return sum > 0 ? performance.now() - before : 0
  })
  return Math.max(1, Math.min(...times) / QUIET_MS)
}
