import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives memory back that V8 keeps for as long as a process does nothing: what a start has left behind is a
 * third of an idle server. Takes 30 to 80 ms, during which nothing else runs.
 */
export function releaseIdleMemory() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}
