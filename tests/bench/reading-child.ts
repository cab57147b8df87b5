/** Reads the photos named as arguments, as a process that reads does, and prints what it took as JSON. */
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { mediaTools } from '@garantia/worker/media/media'

const [, , wanted = '', ...paths] = process.argv
const media = mediaTools({ threads: 1 })
const run = { dir: tmpdir(), signal: new AbortController().signal, onProgress: () => undefined }
const milliseconds: number[] = []
let right = 0
for (const [index, path] of paths.entries()) {
  const before = process.cpuUsage()
  const source = { path, format: 'jpeg' as const, size: (await stat(path)).size }
  const { found } = await media.read(source, { kinds: ['plate'] }, run)
  const { user, system } = process.cpuUsage(before)
  milliseconds.push((user + system) / 1000)
  if (found[0]?.text === wanted.split(',')[index % wanted.split(',').length]) right++
}
console.log(JSON.stringify({ milliseconds, right, memory: process.resourceUsage().maxRSS / 1000 }))
