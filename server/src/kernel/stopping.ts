let draining = false
/** Whether this process was asked to end, so that it should get no new requests. */
export const isDraining = () => draining

/**
 * Runs `close` once when the process is asked to end, also while it is still starting, and exits with code 0.
 * It is asked by SIGTERM, by SIGINT, or by the disconnection of its supervisor, after which nothing else
 * would stop it.
 */
export function whenAskedToStop(close: () => Promise<void>) {
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    draining = true
    void close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
}
