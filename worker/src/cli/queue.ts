import { pauseQueue, queuedJobs, resumeQueue, retryJob } from '@garantia/server/features/evidence/conversion'
import { dateTime } from '@garantia/shared/format'
import { type Command, Option } from 'commander'
import { EXIT, jsonOption, positive, runCommand } from './run-command.ts'

const MOST_JOBS = 1_000

/** Commands for the queue. */
export function queueCommands(program: Command) {
  const queue = program.command('fila').description('a fila de trabalhos: lista, pausa, retoma, repete um')

  queue
    .command('listar', { isDefault: true })
    .description('lista os trabalhos na fila: primeiro os que rodam, depois na ordem em que rodarão')
    .addOption(new Option('--limite <n>', 'quantos mostrar (padrão: 50)').argParser(positive))
    .addOption(jsonOption)
    .action((options: { limite?: number; json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const jobs = await queuedJobs(ctx, Math.min(MOST_JOBS, options.limite ?? 50))
        const lines = jobs.map(
          (job) =>
            `${job.running ? 'rodando ' : 'espera  '} ${job.task} #${job.evidence_id ?? '-'}  tentativa ${job.attempts}/${job.max_attempts}  ${dateTime(job.run_at)}  trabalho ${job.job_id}${job.last_error ? `  ${job.last_error.split('\n')[0]}` : ''}`,
        )
        return { data: jobs, lines: lines.length > 0 ? lines : ['Fila vazia.'] }
      }),
    )

  queue
    .command('pausar')
    .description('nenhum worker pega trabalhos; os que rodam voltam à fila')
    .addOption(jsonOption)
    .action((options: { json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const isNew = await pauseQueue(ctx)
        return {
          data: { paused: true },
          lines: [
            isNew ? 'Fila pausada. Para retomar: npm run worker -- fila retomar' : 'A fila já está pausada.',
          ],
          exit: isNew ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  queue
    .command('retomar')
    .description('os workers voltam a pegar trabalhos')
    .addOption(jsonOption)
    .action((options: { json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const wasPaused = await resumeQueue(ctx)
        return {
          data: { paused: false },
          lines: [wasPaused ? 'Fila retomada.' : 'A fila não está pausada.'],
          exit: wasPaused ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  queue
    .command('repetir')
    .description('roda um trabalho já, com as tentativas de novo')
    .argument('<id>', 'número do trabalho, como em fila listar', positive)
    .addOption(jsonOption)
    .action((id: number, options: { json?: boolean }) =>
      runCommand(options, async (ctx) => {
        const isFound = await retryJob(ctx, id)
        return {
          data: isFound ? { job_id: id } : { error: 'not_found' },
          lines: [isFound ? `Trabalho ${id} na fila.` : `Nenhum trabalho ${id} que espere.`],
          exit: isFound ? EXIT.done : EXIT.nothing,
        }
      }),
    )
}
