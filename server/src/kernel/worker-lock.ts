/** Class of the advisory locks (two-key form) that a worker holds while it lives; the other key is its own. */
export const WORKER_LOCK_CLASS = 7_201_002
