import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { video } from './media.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECONDS = 20

/**
 * A video and an FFMPEG_PATH whose ffmpeg reads it as slowly as a player does: a conversion of twenty seconds at
 * hardly any processor time, for tests that interrupt one. Any other ffmpeg converts it within a second.
 */
export async function slowConversion() {
  const dir = temporaryFolder('lento')
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const FFMPEG_PATH = join(dir, 'ffmpeg')
  await writeFile(FFMPEG_PATH, '#!/bin/sh\nexec ffmpeg -re "$@"\n', { mode: 0o755 })
  const path = await video(dir, { width: 160, height: 90, fps: 25, seconds: SECONDS, codec: 'mpeg4' })
  return { path, FFMPEG_PATH }
}
