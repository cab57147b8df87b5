import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { withPnpm } from './pnpm.mjs'
import { Problem, say } from './processes.mjs'

/** The first that writes an SBOM, and that asks the registry where it still answers; installs nothing here. */
const PNPM =
  'pnpm@11.28.11+sha512.740184d10f81f5d5b165be88560ee7ba62406c4134896abc27a580109eec2f47c1e41d91251c944c2cababcb1c22461799ebb72de2ec625af2030b0e36c735a3'
const SBOM = ['sbom', '--lockfile-only', '--prod', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6']
const SBOM_FILE = 'sbom.cdx.json'

/** Exit codes of `npm run advisories`; scripts rely on them. */
const EXIT = { none: 0, unknown: 1, known: 4 }

/** Writes what the lockfile ships, on every platform, as CycloneDX JSON. `npm run sbom [-- file]`. */
export async function sbom(context, [file = SBOM_FILE]) {
  const { code, out, err } = await pnpm(context, [...SBOM, '--sbom-type', 'application'])
  if (code !== 0) throw new Problem(`A lista de componentes não pôde ser escrita.\n${err || out}`)
  const { components } = JSON.parse(out)
  writeFileSync(resolve(context.root, file), out)
  say(`${file}: ${components.length} componentes (CycloneDX 1.6).`)
  return 0
}

/**
 * Asks the registry for known advisories about the packages of the lockfile. `npm run advisories [-- --registry URL]`;
 * 0 when it knows none, 4 when it knows some, 1 when it could not be asked.
 */
export async function advisories(context, args) {
  const { out, err } = await pnpm(context, ['audit', '--json', ...args])
  const { lines, code } = verdictOn(out, err)
  for (const line of lines) process.stdout.write(`${line}\n`)
  return code
}

/** What an answer of `pnpm audit --json` means: lines for people, and the exit code. */
export function verdictOn(out, err = '') {
  const answer = parsed(out)
  if (!answer?.metadata) {
    const why = answer?.error?.message ?? (err.trim() || out.trim() || 'sem resposta')
    return { code: EXIT.unknown, lines: ['O registro não pôde ser consultado: nada se sabe.', why] }
  }
  const known = Object.values(answer.advisories ?? {})
  if (known.length === 0)
    return {
      code: EXIT.none,
      lines: [`Nenhum aviso conhecido sobre ${answer.metadata.totalDependencies} pacotes.`],
    }
  return { code: EXIT.known, lines: [`Avisos conhecidos: ${known.length}.`, ...known.flatMap(described)] }
}

const described = ({ module_name, severity, title, url, vulnerable_versions, findings = [] }) => [
  `  ${severity}  ${module_name} ${vulnerable_versions}: ${title}`,
  ...findings.map(({ version, paths = [] }) => `    ${version} por ${paths.join(', ')}`),
  `    ${url}`,
]

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const pnpm = ({ root, node, env }, args) =>
  withPnpm(PNPM, { root, env }, (program, itsEnv) =>
    // It is not the pnpm that package.json names, which would be fetched instead.
    outputOf(node, [program, ...args], { cwd: root, env: { ...itsEnv, pnpm_config_pm_on_fail: 'ignore' } }),
  )

function outputOf(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ])
    stream.setEncoding('utf8').on('data', (text) => {
      said[name] += text
    })
  return new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code) => done({ code, ...said }))
  })
}
