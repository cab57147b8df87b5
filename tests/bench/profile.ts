import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const SHOWN = 16
const IDLE = ['(idle)', '(program)']

/**
 * Where the processor time of each process went that was measured with `--profile DIR`: the functions with
 * most time of their own, in percent of the busy time, as lines of text.
 */
export async function profilesIn(dir: string) {
  const lines: string[] = []
  for (const name of (await readdir(dir)).filter((name) => name.endsWith('.cpuprofile')).sort()) {
    const { nodes, samples, timeDeltas } = JSON.parse(await readFile(join(dir, name), 'utf8')) as Profile
    const titles = new Map(nodes.map(({ id, callFrame }) => [id, titleOf(callFrame)]))
    const spent = new Map<string, number>()
    samples.forEach((id, at) => {
      const title = titles.get(id) ?? ''
      spent.set(title, (spent.get(title) ?? 0) + (timeDeltas[at] ?? 0))
    })
    for (const title of IDLE) spent.delete(title)
    const busy = [...spent.values()].reduce((sum, one) => sum + one, 0)
    lines.push(`\n${name}, busy ${(busy / 1_000).toFixed(0)} ms`)
    const most = [...spent].sort((a, b) => b[1] - a[1]).slice(0, SHOWN)
    for (const [title, time] of most)
      lines.push(`${((100 * time) / busy).toFixed(1).padStart(6)} %  ${title}`)
  }
  return lines
}

const titleOf = ({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']) =>
  `${functionName || '(anonymous)'}${url && ` ${url.startsWith('node:') ? url : basename(url)}:${lineNumber + 1}`}`
