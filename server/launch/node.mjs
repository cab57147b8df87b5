import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './processes.mjs'

const OLDEST = [22, 18]

/** The Node that runs the product: the bundled one, else the machine's when it is 22.18 or newer. */
export function chooseNode(root) {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (const name of ['node', 'node.exe']) {
    const carried = real(join(root, 'node_modules', `node-${platform}`, 'bin', name))
    if (carried && (carried === process.execPath || spawnSync(carried, ['--version']).status === 0))
      return carried
  }
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return process.execPath
  throw new Problem(
    `É preciso o Node.js ${OLDEST.join('.')} ou mais novo. O desta máquina é o ${process.versions.node}, ` +
      `e o que acompanha o Garantia não roda nesta plataforma (${platform}).`,
  )
}

function real(path) {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
