import {
  diagnose,
  type Finding,
  fault,
  type Level,
  ok,
  reasonOf,
} from '@garantia/server/features/system/diagnosis'
import { openKernel, openLog, productVersion, readConfig, startProblemFrom } from '@garantia/server/kernel'
import { counted } from '@garantia/shared/format'
import type { Command } from 'commander'
import { EXIT, jsonOption } from './run-command.ts'

const LEVEL: Record<Level, string> = { ok: 'certo   ', warning: 'atenção ', fault: 'problema' }

/** Adds `doutor`: what an operator would look at, and what mends each problem. */
export function doctorCommand(program: Command) {
  program
    .command('doutor')
    .description('examina a instalação e diz o que está errado, com o comando que resolve')
    .addOption(jsonOption)
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = [
        ok('versão', `Garantia ${productVersion()}, Node ${process.version}`),
        ...(await examineAll()),
      ]
      const faults = findings.filter(({ level }) => level === 'fault').length
      const warnings = findings.filter(({ level }) => level === 'warning').length
      const sums = `${counted(faults, 'problema', 'problemas')}, ${counted(warnings, 'ponto de atenção', 'pontos de atenção')}.`
      const lines = [...findings.flatMap(linesOf), sums]
      process.stdout.write(
        json ? `${JSON.stringify({ faults, warnings, findings })}\n` : `${lines.join('\n')}\n`,
      )
      process.exitCode = faults > 0 ? EXIT.found : EXIT.done
    })
}

async function examineAll(): Promise<Finding[]> {
  try {
    const log = openLog('silent', 'operador', process.stderr)
    const kernel = await openKernel(readConfig(), log, {
      role: 'operador',
      connections: 3,
      statement_timeout: 10_000,
    })
    const findings = await diagnose(kernel.ctx)
    // A database that does not answer does not close its connections either.
    await Promise.race([kernel.close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
    return findings
  } catch (error) {
    const reason = startProblemFrom(error)?.message ?? reasonOf(error)
    return [fault('início', reason, 'corrija o que a mensagem diz e rode doutor de novo')]
  }
}

const linesOf = ({ subject, level, text, advice }: Finding) => [
  `${LEVEL[level]}  ${subject}: ${text}`,
  ...(advice ? [`          → ${advice}`] : []),
]
