import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** What a phone needs without network. Pictures of the manual are not among it. */
const KEPT = /^(assets\/.*\.(js|css|woff2)|index\.html|theme\.js|favicon\.svg|manifest\.webmanifest)$/

/** Of a file whose name stays: one of another build is not kept in its place. */
async function contentOf(path) {
  const digest = createHash('sha256').update(await readFile(path))
  const hash = digest.digest('base64')
  return { revision: hash, integrity: `sha256-${hash}` }
}

/** Writes `client/dist/sw.js`, which knows the files of this build. */
export async function buildServiceWorker(root) {
  const dist = join(root, 'client', 'dist')
  const names = (await readdir(dist, { recursive: true })).map((name) => name.replaceAll('\\', '/'))
  const files = await Promise.all(
    names
      .filter((name) => KEPT.test(name))
      .sort()
      .map(async (name) => ({
        url: `/${name}`,
        ...(name.startsWith('assets/') ? { revision: null } : await contentOf(join(dist, name))),
      })),
  )
  const bundle = await rolldown({
    input: join(root, 'client', 'src', 'service-worker', 'main.ts'),
    platform: 'browser',
    transform: { define: { BUILT_FILES: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await writeFile(join(dist, 'sw.js'), output[0].code)
}
