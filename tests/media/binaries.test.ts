import { isMaintained } from '@garantia/worker/media/binaries'
import { expect, test } from 'vitest'

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
