/** Class of the advisory locks (two-key form) that a worker holds while it lives; the other key is its own. */
export const WORKER_LOCK_CLASS = 7_201_002
/** A worker that has not said for this long that it lives is frozen: others end its connections and take its jobs. */
export const FROZEN_SECONDS = 30
