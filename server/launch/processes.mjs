import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** What the person at the terminal can act on: shown as it is, without a stack. */
export class Problem extends Error {}

export const say = (line) => process.stderr.write(`${line}\n`)

const running = new Set()

/** Runs a program to its end and gives its exit code. */
export function run(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(() => running.delete(child))
}

let onStop
let stopping = false

/** Somebody asked us to end: what has not begun does not begin. */
export const isStopping = () => stopping

/** A run that needs an orderly end says how; otherwise the programs running now get the signal. */
export function stopWith(callback) {
  onStop = callback
}

export function passSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => askToStop(signal))
}

export function askToStop(signal) {
  stopping = true
  if (onStop) return onStop()
  // A Ctrl-C reached them already: the terminal sends it to the whole group.
  if (signal !== 'SIGINT') for (const child of running) child.kill(signal)
}
