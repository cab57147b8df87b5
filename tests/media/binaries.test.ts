import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeFfmpeg, ffmpegVersion, findBinaries, isMaintained } from '@garantia/worker/media/binaries'
import { expect, onTestFinished, test } from 'vitest'

test.each([
  ['5.1.9-0+deb12u1', true],
  ['4.4.2-0ubuntu0.22.04.1', true],
  ['n7.1', true],
  ['8.0', true],
  ['N-118448-g43be8d0728', true],
  ['2024-05-01-git-4e5523c985-full_build-www.gyan.dev', true],
  ['4.3.8-0+deb11u3', false],
  ['N-47683-g0e8eb07980-static', false],
  ['2018-12-10-git', false],
  ['', false],
])('ffmpeg %s is maintained: %s', (version, is) => {
  expect(isMaintained(version)).toBe(is)
})

test('a build that nobody mends any more decodes nothing, also where it is the configured one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'garantia-binaries-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const build = async (name: string, version: string) => {
    const path = join(dir, name)
    await writeFile(path, `#!/bin/sh\necho '${name} version ${version} Copyright'\n`)
    await chmod(path, 0o755)
    return path
  }
  const ffprobe_path = await build('ffprobe', '7.1')
  const old = { ffmpeg_path: await build('ffmpeg-2018', 'N-47683-g0e8eb07980-static'), ffprobe_path }
  await expect(findBinaries(old)).rejects.toMatchObject({ name: 'CannotConvert' })
  expect(await ffmpegVersion(old)).toBeNull()
  expect(await describeFfmpeg(old)).toContain('N-47683-g0e8eb07980-static')

  const maintained = { ffmpeg_path: await build('ffmpeg', '7.1'), ffprobe_path }
  expect(await findBinaries(maintained)).toMatchObject({
    ffmpeg: maintained.ffmpeg_path,
    ffprobe: ffprobe_path,
  })
  expect(await ffmpegVersion(maintained)).toBe('7.1')
})
