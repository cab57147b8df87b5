// Entry point of the npm scripts, from a bare clone. It uses Node's own modules only: it runs before anything
// is installed, and on the Node of the machine (18 or newer).
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installedBrowser } from './launch/browser.mjs'
import { check, lint } from './launch/check.mjs'
import { buildClient } from './launch/client.mjs'
import { installFfmpeg, prepareDecoding } from './launch/ffmpeg.mjs'
import { install } from './launch/install.mjs'
import { chooseNode } from './launch/node.mjs'
import { pictures } from './launch/pictures.mjs'
import { Problem, passSignals, run, say } from './launch/processes.mjs'
import { buildPrograms } from './launch/programs.mjs'
import { schema } from './launch/schema.mjs'
import { replaceBy, serve, supervisor } from './launch/serve.mjs'
import { advisories, sbom } from './launch/supply-chain.mjs'
import { test } from './launch/test.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [mode = 'start', ...args] = process.argv.slice(2)
const { env } = process
/** Errors in the log name the sources of a bundled program. */
const NODE_OPTIONS = [env.NODE_OPTIONS, '--enable-source-maps'].filter(Boolean).join(' ')

const programEnv = async (context) => ({
  ...env,
  PROGRAMS_DIR: await buildPrograms(context),
  NODE_OPTIONS,
})

const modes = {
  async start(context) {
    // First, since it waits for another process.
    const installed = installFfmpeg(context)
    const [PROGRAMS_DIR] = await Promise.all([buildPrograms(context), buildClient(context), installed])
    return serve({ ...context, env: { ...env, PROGRAMS_DIR, NODE_OPTIONS } }, args)
  },
  dev: (context) => serve(context, ['--watch', ...args], { hot: true }),
  test: (context) => test(context, args),
  check,
  lint,
  pictures,
  schema,
  sbom: (context) => sbom(context, args),
  advisories: (context) => advisories(context, args),
  bench: ({ node }) =>
    run(node, ['tests/bench/all.ts', ...args], { cwd: root, env: { ...env, ...installedBrowser(env) } }),
  async worker(context) {
    const itsEnv = await programEnv(context)
    // Without a command it converts until it is stopped.
    const command = args.length > 0 ? args : ['rodar']
    return run(context.node, [supervisor(itsEnv), 'worker', ...command], { cwd: root, env: itsEnv })
  },
  async server(context) {
    const [itsEnv] = await Promise.all([programEnv(context), buildClient(context)])
    return replaceBy(context.node, [supervisor(itsEnv), 'server'], { cwd: root, env: itsEnv })
  },
  async migrate(context) {
    const itsEnv = await programEnv(context)
    return replaceBy(context.node, [supervisor(itsEnv), 'migrate'], { cwd: root, env: itsEnv })
  },
  async decoder(context) {
    const itsEnv = await programEnv(context)
    return replaceBy(context.node, [supervisor(itsEnv), 'decoder'], { cwd: root, env: itsEnv })
  },
  /** Installs and builds, and starts nothing. */
  async build(context) {
    await Promise.all([buildPrograms(context), buildClient(context), prepareDecoding(context)])
    return 0
  },
}

try {
  if (!Object.hasOwn(modes, mode))
    throw new Problem(`Uso: node server/launch.mjs ${Object.keys(modes).join('|')}`)
  passSignals()
  await install({ root, env })
  process.exit(await modes[mode]({ root, env, node: chooseNode(root) }))
} catch (error) {
  say(error instanceof Problem ? error.message : error.stack)
  process.exit(1)
}
