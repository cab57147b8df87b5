import { createWriteStream } from 'node:fs'
import { constants, copyFile, open, readdir, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Ctx } from '@garantia/server/kernel'
import { programFile } from '@garantia/server/programs'
import { ISOLATION_TEXT, type Isolation } from '@garantia/shared/isolation'
import { binariesFinder, binaryPathsOf } from '../media/binaries.ts'
import { COSTS, type Kind } from './costs.ts'
import type { DecoderQuestion } from './messages.ts'
import { type DecoderCall, startDecoderProcess } from './process.ts'
import { APPLICATION, findSandbox, prepareFolders, type Sandbox } from './sandbox.ts'

/**
 * A decoding process and the folder in which it works. It has read untrusted bytes, so that it may have put anything
 * into that folder, and may change it at any moment.
 */
export interface Place {
  isAlive(): boolean
  /** Copies a file into the folder, under a name that is not there yet: never a way to the original itself. */
  put(name: string, path: string): Promise<void>
  /** Removes a file that `put` has made. */
  remove(name: string): Promise<void>
  /** What the process answers, unchecked; see startDecoderProcess for its errors. */
  ask(call: DecoderCall<DecoderQuestion>): Promise<unknown>
  /** Copies a finished file to `path`, which is new: no link is followed. Returns its bytes. */
  take(name: string, path: string): Promise<number>
  /** Removes all files; false when something is left. */
  empty(): Promise<boolean>
  /** Ends the process, also in the middle of its work, and removes the folder. */
  end(): Promise<void>
}

/** Where decoding processes are started. */
export interface DecoderHost<P extends Place = Place> {
  start(kind: Kind): Promise<P>
  /** What separates them from the rest of the machine; asked once. A failure, as of a full disk, is not kept. */
  isolation(): Promise<Isolation>
}

export interface LocalPlace extends Place {
  /** Like `put`, from a stream. */
  receive(name: string, content: Readable): Promise<void>
  /** A finished file, open for reading. Throws when it is no plain file. */
  open(name: string): ReturnType<typeof open>
  /** Resolves when the process is gone. */
  closed: Promise<void>
}

interface Local {
  config: Pick<Ctx['config'], 'FFMPEG_PATH' | 'FFPROBE_PATH' | 'PROGRAMS_DIR' | 'data_dir'>
  scratch: Pick<Ctx['scratch'], 'make' | 'within'>
  log: Pick<Ctx['log'], 'info'>
}

/** Decoding processes on this machine. `program` and `sandbox` are those of this installation unless given. */
export function localHost(
  { config, scratch, log }: Local,
  { program = programFile(APPLICATION, 'decoder', config), sandbox = findSandbox }: Partial<Given> = {},
): DecoderHost<LocalPlace> {
  const binaries = binariesFinder(binaryPathsOf(config))
  const { FFMPEG_PATH, FFPROBE_PATH, data_dir } = config
  let found: Promise<Sandbox> | undefined
  function chosen() {
    const folders = [FFMPEG_PATH, FFPROBE_PATH].flatMap((path) => (path ? [dirname(path)] : []))
    found ??= sandbox({ scratch, data_dir, programs: [program, ...folders] }).then((sandbox) => {
      log.info(`leitura de arquivos: ${ISOLATION_TEXT[sandbox.isolation]}`)
      return sandbox
    })
    found.catch(() => {
      found = undefined
    })
    return found
  }

  return {
    isolation: async () => (await chosen()).isolation,
    async start(kind) {
      const sandbox = await chosen()
      const dir = await scratch.make('decoder')
      const folders = await prepareFolders(dir, sandbox)
      const command = sandbox.command(folders, COSTS[kind], [
        process.execPath,
        '--disable-warning=ExperimentalWarning',
        program,
      ])
      const started = startDecoderProcess(command, folders.own, COSTS[kind].priority)
      const inside = (name: string) => join(folders.own, name)
      /** As root the process runs under another account; the folder is closed to all but the two. */
      async function show(name: string) {
        const original = await openPlain(inside(name))
        try {
          await original.chmod(0o444)
        } finally {
          await original.close()
        }
      }
      async function openFinished(name: string) {
        const file = await openPlain(inside(name))
        if ((await file.stat()).isFile()) return file
        await file.close()
        throw new Error('A decoding process left something that is no file')
      }
      return {
        isAlive: started.isAlive,
        closed: started.closed,
        async put(name, path) {
          // A reflink where the file system has them.
          await copyFile(path, inside(name), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
          await show(name)
        },
        async receive(name, content) {
          await pipeline(content, createWriteStream(inside(name), { flags: 'wx', mode: 0o600 }))
          await show(name)
        },
        remove: (name) => unlink(inside(name)),
        ask: async ({ request, ...call }) =>
          started.ask({
            ...call,
            request: { ...request, binaries: kind === 'video' ? await binaries() : null },
          }),
        open: openFinished,
        async take(name, path) {
          const from = await openFinished(name)
          try {
            // What goes on is a file that the process never had: it may still hold its own open.
            const to = createWriteStream(path, { flags: 'wx', mode: 0o600 })
            await pipeline(from.createReadStream({ autoClose: false, highWaterMark: 512 * 1024 }), to)
            return to.bytesWritten
          } finally {
            await from.close()
          }
        },
        async empty() {
          // Unlinking follows no link. A folder would have to be emptied along paths, which is only safe when the process is gone.
          try {
            for (const name of await readdir(folders.own)) await unlink(inside(name))
            return true
          } catch {
            return false
          }
        },
        async end() {
          await started.kill()
          await rm(dir, { recursive: true, force: true, maxRetries: 5 })
        },
      }
    },
  }
}

interface Given {
  /** The program of a decoding process. */
  program: string
  sandbox: typeof findSandbox
}

/** A file in the process's folder, never what a link put there leads to. Neither waits for the writer of a pipe. */
const openPlain = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
