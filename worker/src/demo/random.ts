/** A deterministic random source: two demonstrations look alike. */
export type SeededRandom = ReturnType<typeof seededRandom>

/** mulberry32, seeded by a text. */
export function seededRandom(seed: string) {
  let state = 2_166_136_261
  for (let place = 0; place < seed.length; place++)
    state = Math.imul(state ^ seed.charCodeAt(place), 16_777_619)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + next() * (most - least)
  const whole = (least: number, most: number) => Math.floor(between(least, most + 1))
  const oneOf = <T>(choices: readonly T[]): T => {
    const [first] = choices
    if (first === undefined) throw new Error('nothing to choose from')
    return choices[whole(0, choices.length - 1)] ?? first
  }
  return { next, between, whole, oneOf, happens: (share: number) => next() < share }
}
