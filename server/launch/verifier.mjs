import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The page that verifies a dossier, as one file that asks for nothing: style and script are in it, and its policy
 * allows these two only, by their hashes, and no connection.
 */
export async function buildVerifier(root) {
  const folder = join(root, 'client', 'src', 'verifier')
  const bundle = await rolldown({
    input: join(folder, 'main.ts'),
    platform: 'browser',
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  // The text would end the element it stands in.
  const script = output[0].code.replaceAll('</script', '<\\/script')
  const sheets = [join(root, 'client', 'src', 'tokens.css'), join(folder, 'verifier.css')]
  const style = (await Promise.all(sheets.map((sheet) => readFile(sheet, 'utf8')))).join('\n')
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const page = await readFile(join(folder, 'verificar.html'), 'utf8')
  return page
    .replace('POLICY', () => policy)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`)
}
