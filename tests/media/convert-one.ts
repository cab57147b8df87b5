import { statSync } from 'node:fs'
import { mediaTools } from '@garantia/worker/media/media'

/** A process of its own for the test that kills it; prints a line once ffmpeg runs. */
const [path = '', dir = '', ffmpeg_path = ''] = process.argv.slice(2)
const { signal } = new AbortController()
await mediaTools({ threads: 1, ffmpeg_path }).convert(
  { path, format: 'mp4', size: statSync(path).size },
  { budget_bytes: 9_000_000, image_formats: [], video_formats: [], long_side: 1, keep_gps: false },
  { dir, signal, onProgress: (percent) => void process.stdout.write(`${percent}\n`) },
)
