/** Draws SVG as JPEG: a process of its own, as a reader of photos turns off sharp's loader of SVG for good. */
import { writeFile } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import sharp from 'sharp'

for (const { svg, path } of (await json(process.stdin)) as { svg: string; path: string }[])
  await writeFile(path, await sharp(Buffer.from(svg)).flatten().jpeg({ quality: 85 }).toBuffer())
