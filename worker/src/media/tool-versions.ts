import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ToolVersions } from '@garantia/shared/tools'
import { z } from 'zod'
import { type BinaryPaths, ffmpegVersion } from './binaries.ts'

const { resolve } = createRequire(import.meta.url)

const withVersion = z.object({ version: z.string() })
const versionIn = (file: string) => withVersion.parse(JSON.parse(readFileSync(file, 'utf8'))).version

/**
 * Versions of the product, as it says itself, and of what decodes and encodes for it. Read from files, and from ffmpeg's own first line:
 * loading sharp for its version would bring the decoders into the process that asks.
 */
export async function toolVersions(settings: BinaryPaths, garantia: string): Promise<ToolVersions> {
  const sharp = dirname(dirname(resolve('sharp')))
  return {
    garantia,
    ffmpeg: await ffmpegVersion(settings),
    sharp: versionIn(join(sharp, 'package.json')),
    libvips: libvipsVersion(join(sharp, 'package.json')),
  }
}

/** Of the library that came with sharp; null where the system's is used. */
function libvipsVersion(sharp: string) {
  const platforms = [process.platform, `${process.platform}musl`]
  for (const platform of platforms)
    try {
      const versions: unknown = createRequire(sharp)(
        `@img/sharp-libvips-${platform}-${process.arch}/versions`,
      )
      return z.object({ vips: z.string() }).parse(versions).vips
    } catch {
      // Not for this platform.
    }
  return null
}
