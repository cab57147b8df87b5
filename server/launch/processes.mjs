import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** A problem the operator can act on: printed without a stack. */
export class Problem extends Error {}

export const say = (line) => process.stderr.write(`${line}\n`)

const running = new Set()

/** Runs a program and returns its exit code, 128 + the signal's number when a signal ended it. */
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

/** Whether this process was asked to stop: what has not started is not started. */
export const isStopping = () => stopping

/** Sets what to do when asked to stop; without it the running programs get the signal. */
export function stopWith(callback) {
  onStop = callback
}

export function passSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => askToStop(signal))
}

export function askToStop(signal) {
  stopping = true
  if (onStop) return onStop()
  // Ctrl-C has reached them already: the terminal sends it to the whole process group.
  if (signal !== 'SIGINT') for (const child of running) child.kill(signal)
}
