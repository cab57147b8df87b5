import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onParentExit } from '../launch/parents.mjs'
import { releaseIdleMemory } from './kernel/idle-memory.ts'
import { EXIT_START } from './kernel/start-problem.ts'
import { runAlone, runDecoder, runOperatorCommand } from './standalone/operator-command.ts'
import { StartProblem } from './standalone/problem.ts'
import { type ReadyReport, startProduct } from './standalone/product.ts'
import { type Program, programFile } from './standalone/programs.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const [mode, ...args] = process.argv.slice(2)
const program = (name: Program) => programFile(root, name, process.env)
const flags = new Set(process.argv.slice(2))

/** After a start. */
const SETTLED_MS = 10_000

const say = (line: string) => process.stderr.write(`${line}\n`)

/** Sends a message to the parent process (the launcher or a test) when it opened a channel. */
function tell(message: object) {
  if (process.connected) process.send?.(message)
}

function announceReady({ url, state_dir, first_superuser, demonstration }: ReadyReport) {
  const lines = ['', `  Garantia está no ar: ${url}`, `  Dados guardados em:  ${state_dir}`]
  if (first_superuser?.password) {
    lines.push(
      '',
      `  Primeiro acesso:     ${first_superuser.email}`,
      `  Senha:               ${first_superuser.password}`,
      '  Guarde-a agora: ela não será mostrada de novo.',
    )
  }
  if (demonstration) lines.push('', ...about(demonstration))
  process.stdout.write(`${lines.join('\n')}\n\n  Ctrl-C encerra.\n\n`)
  tell({ type: 'ready', url })
  setTimeout(releaseIdleMemory, SETTLED_MS).unref()
}

function about({ password, people }: NonNullable<ReadyReport['demonstration']>) {
  const names = people.map(({ email, role, company }) => `    ${email.padEnd(24)} ${role} · ${company}`)
  return [
    '  Demonstração: empresas, pessoas e OS inventadas; o preenchimento continua enquanto você olha.',
    ...(password === null
      ? ['  As pessoas e a senha são as que foram mostradas no primeiro início.']
      : [`  Entre como uma destas pessoas, com a senha ${password}`, ...names]),
    '  Para remover tudo:  npm run worker -- remover-demo',
  ]
}

/**
 * Runs the product until it is asked to stop: by a signal, by the message `stop`, or by the end of the parent
 * process.
 */
function serve() {
  let exit_code = 0
  const product = startProduct({
    root,
    env: process.env,
    scripts: { migrate: program('migrate'), server: program('server'), worker: program('worker') },
    watch: flags.has('--watch'),
    say,
    onReady: announceReady,
    onStart: (name, pid) => tell({ type: 'child', name, pid }),
    demonstration: flags.has('--demo') ? { script: program('demo'), onRefused: giveUp } : undefined,
    onStartFailed: (code) => giveUp('Servidor: não conseguiu iniciar; o motivo está acima.', code),
  })

  function giveUp(why: string, code = 1) {
    say(why)
    exit_code = code
    stop()
  }

  let stopping = false
  function stop() {
    if (stopping) return
    stopping = true
    product
      .then((running) => running.stop())
      .then(() => process.exit(exit_code))
      .catch(fail)
  }

  // Writing to a closed terminal fails; that must not end this process before its children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop)
  process.on('disconnect', stop)
  // In the place of the launcher it watches npm itself.
  if (!process.connected) onParentExit(process.env, stop)
  process.on('message', (message) => {
    if (message === 'stop') stop()
  })
  product.catch(fail)
}

function fail(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  say(error instanceof StartProblem ? error.message : text)
  process.exit(error instanceof StartProblem ? EXIT_START : 1)
}

if (mode === 'worker') {
  const script = program('commands')
  process.exitCode = await runOperatorCommand({ root, env: process.env, script, args }).catch(fail)
} else if (mode === 'server' || mode === 'migrate') {
  await runAlone({ root, env: process.env, script: program(mode) }).catch(fail)
} else if (mode === 'decoder') {
  await runDecoder({ root, env: process.env, script: program('decoder-service') }).catch(fail)
} else {
  const unknown = [...flags].find((flag) => !['--watch', '--demo'].includes(flag))
  if (unknown) fail(new StartProblem(`Opção desconhecida: ${unknown}. Uso: npm start [-- --demo]`))
  serve()
}
