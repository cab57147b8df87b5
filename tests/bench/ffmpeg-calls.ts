import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Calls {
  /** A program in place of ffmpeg that records its arguments. */
  program: string
  /** The arguments since the last time, one list of calls for each job folder. */
  take(): Promise<string[][][]>
}

/** Records the arguments of ffmpeg calls, so that a bare ffmpeg can be run with the same. */
export async function watchFfmpeg(ffmpeg: string, dir: string): Promise<Calls> {
  const notes = join(dir, 'calls')
  await mkdir(notes, { recursive: true })
  const program = join(dir, 'ffmpeg')
  await writeFile(
    program,
    `#!/bin/sh\n[ "$1" = -version ] || printf '%s\\0' "$@" > '${notes}'/$$\nexec '${ffmpeg}' "$@"\n`,
  )
  await chmod(program, 0o755)
  return {
    program,
    async take() {
      const found: { at: number; args: string[] }[] = []
      for (const name of await readdir(notes)) {
        const path = join(notes, name)
        const args = (await readFile(path, 'utf8')).split('\0').slice(0, -1)
        found.push({ at: (await stat(path)).mtimeMs, args })
        await rm(path)
      }
      found.sort((a, b) => a.at - b.at)
      return [...Map.groupBy(found, ({ args }) => dirname(inputOf(args))).values()].map((calls) =>
        calls.map(({ args }) => args),
      )
    },
  }
}

const inputOf = (args: string[]) => args[args.indexOf('-i') + 1] ?? ''

/** Repeats the calls of one job, one after the other, on another input and in another folder. */
export async function repeat(ffmpeg: string, calls: string[][], input: string, parent: string) {
  const dir = await mkdtemp(join(parent, 'bare-'))
  for (const args of calls) {
    const before = inputOf(args)
    await run(
      ffmpeg,
      args.map((arg) => (arg === before ? input : arg.replaceAll(dirname(before), dir))),
    )
  }
  await rm(dir, { recursive: true })
}

/** At the priority the worker gives it, so that other load on the machine has the same effect. */
const run = (program: string, args: string[]) =>
  new Promise<void>((resolve, reject) => {
    spawn('nice', ['-n', '10', program, ...args], { stdio: 'ignore' })
      .once('error', reject)
      .once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
  })
