import { dirname } from 'node:path'
import type { Ctx } from '@garantia/server/kernel'
import { programFile } from '@garantia/server/programs'
import { ISOLATION_TEXT } from '@garantia/shared/isolation'
import { APPLICATION, findSandbox, type Sandbox } from './sandbox.ts'

export interface DecoderProgram {
  /** The program of a decoding process. */
  program: string
  /** Asks once what this machine allows; a failure, as of a full disk, is not kept. */
  sandbox(): Promise<Sandbox>
}

/** The program that decodes for this installation, and what separates it from the rest of this machine. */
export function decoderProgram({ config, scratch, log }: Ctx): DecoderProgram {
  const { FFMPEG_PATH, FFPROBE_PATH, data_dir } = config
  const program = programFile(APPLICATION, 'decoder', config)
  const folders = [FFMPEG_PATH, FFPROBE_PATH].flatMap((path) => (path ? [dirname(path)] : []))
  let found: Promise<Sandbox> | undefined
  return {
    program,
    sandbox() {
      found ??= findSandbox({ scratch, data_dir, programs: [program, ...folders] }).then((sandbox) => {
        log.info(`leitura de arquivos: ${ISOLATION_TEXT[sandbox.isolation]}`)
        return sandbox
      })
      found.catch(() => {
        found = undefined
      })
      return found
    },
  }
}
