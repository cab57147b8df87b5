/** Calls in one tRPC request: more than any screen makes at once, too few to be worth an attack. */
export const MAX_BATCH = 20
