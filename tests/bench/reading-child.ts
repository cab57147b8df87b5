/** Reads the photos named as arguments, as a process that reads does, and prints what it took as JSON. */
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { READING_KINDS } from '@garantia/shared/evidence/reading'
import { mediaTools } from '@garantia/worker/media/media'

const [, , searched = '', wanted = '', ...paths] = process.argv
const kinds = READING_KINDS.filter((kind) => searched.split(',').includes(kind))
const media = mediaTools({ threads: 1 })
const run = { dir: tmpdir(), signal: new AbortController().signal, onProgress: () => undefined }
const milliseconds: number[] = []
let right = 0
for (const [index, path] of paths.entries()) {
  const before = process.cpuUsage()
  const source = { path, format: 'jpeg' as const, size: (await stat(path)).size }
  const { found } = await media.read(source, { kinds }, run)
  const { user, system } = process.cpuUsage(before)
  milliseconds.push((user + system) / 1000)
  const plate = found.find(({ kind }) => kind === 'plate')
  if (plate?.text === wanted.split(',')[index % wanted.split(',').length]) right++
}
console.log(JSON.stringify({ milliseconds, right, memory: process.resourceUsage().maxRSS / 1000 }))
