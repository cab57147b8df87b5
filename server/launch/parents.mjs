import { readFileSync } from 'node:fs'

const EVERY_MS = 250

/**
 * Calls back when npm or pnpm ends. They do not forward a SIGTERM and cannot forward a kill -9: this process
 * is then reparented. Between them and it there may be shells (`sh -c`, the script in .bin that starts the
 * bundled Node) that live on, so every parent link up to them is watched.
 */
export function onParentExit(env, callback) {
  if (!env.npm_lifecycle_event) return
  const links = linksUp(process.pid)
  const timer = setInterval(() => {
    if (links.every(({ pid, parent }) => parentOf(pid) === parent)) return
    clearInterval(timer)
    callback()
  }, EVERY_MS)
  timer.unref()
}

function linksUp(pid) {
  const parent = parentOf(pid)
  const link = { pid, parent }
  return commandOf(parent).includes('launch.mjs') ? [link, ...linksUp(parent)] : [link]
}

function parentOf(pid) {
  if (pid === process.pid) return process.ppid
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

const commandOf = (pid) => read(`/proc/${pid}/cmdline`)

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
