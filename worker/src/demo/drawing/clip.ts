import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { seededRandom } from '../random.ts'
import { instrumentCluster } from './instrument-cluster.ts'
import type { Subject } from './scene.ts'

export interface ClipSpec {
  kind: 'clip'
  subject: Subject
  seed: string
  taken_at: string
  ffmpeg_path: string
}

const SECONDS = 6
const execute = promisify(execFile)

/** Writes a six-second video of the instruments while the engine runs unevenly, with sound. */
export async function drawClip({ subject, seed, taken_at, ffmpeg_path }: ClipSpec, path: string) {
  const random = seededRandom(seed)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="1050" viewBox="0 0 1280 960">${instrumentCluster(false)(subject, random)}</svg>`
  const dir = await mkdtemp(join(dirname(path) || tmpdir(), 'filme-'))
  try {
    const still = join(dir, 'painel.png')
    await writeFile(still, await sharp(Buffer.from(svg), { unlimited: true }).png().toBuffer())
    const [shake, flicker, pitch] = [random.between(2.5, 5), random.between(5, 9), random.whole(38, 64)]
    const sound = `aevalsrc=exprs=0.25*sin(2*PI*${pitch}*t)*(0.7+0.3*sin(2*PI*${(pitch / 7).toFixed(2)}*t))+0.06*(random(0)-0.5):s=44100`
    const filters = [
      `crop=1280:960:60+20*sin(t*${shake.toFixed(2)})+6*sin(t*11):45+14*cos(t*${(shake * 0.7).toFixed(2)})`,
      `eq=brightness='0.02*sin(t*${flicker.toFixed(2)})':eval=frame`,
      'noise=alls=9:allf=t',
      'format=yuv420p',
    ]
    await execute(ffmpeg_path, [
      ...['-v', 'error', '-nostdin', '-y'],
      ...['-loop', '1', '-framerate', '24', '-i', still, '-f', 'lavfi', '-i', sound],
      ...['-vf', filters.join(','), '-t', String(SECONDS)],
      ...[
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-crf',
        '24',
        '-c:a',
        'aac',
        '-b:a',
        '96k',
        '-threads',
        '1',
      ],
      ...['-movflags', '+faststart', '-metadata', `creation_time=${taken_at}`, '-f', 'mp4', path],
    ])
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
