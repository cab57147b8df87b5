import { counted, dateTime } from '@garantia/shared/format'
import { ISOLATION_TEXT, ISOLATIONS } from '@garantia/shared/isolation'
import { toolVersions } from '@garantia/shared/tools'
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { WORKER_LOCK_CLASS } from '../../../kernel/worker-lock.ts'
import { failedFiles } from '../../evidence/conversion/service.ts'
import { problemsOf, readWork } from '../work-state/service.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

/** A job that nobody takes for so long is no queue but a standstill. */
const LONGEST_WAIT_MINUTES = 5
const MAIL_MINUTES = 15

/** The workers that hold their lock: where they run, and how they read untrusted files. */
export async function workerFindings(ctx: Ctx): Promise<Finding[]> {
  const rows = await ctx.db
    .selectFrom('worker_processes')
    // One process locks jobs under several ids.
    .distinctOn('lock_key')
    .select(['host', 'pid', 'started_at', 'tools', 'isolation'])
    .where(
      sql<boolean>`exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and classid::bigint = ${sql.lit(WORKER_LOCK_CLASS)} and objid::bigint = lock_key)`,
    )
    .orderBy('lock_key')
    .orderBy(sql`tools is null`)
    .execute()
  const workers = rows.sort((a, b) => a.started_at.getTime() - b.started_at.getTime())
  if (workers.length === 0)
    return [
      fault(
        'worker',
        'nenhum em execução: nada é convertido, e nenhum dossiê é feito',
        'npm start, ou npm run worker -- rodar numa máquina que alcance o banco e os arquivos',
      ),
    ]
  const found = workers.flatMap(({ host, pid, started_at, tools, isolation }): Finding[] => {
    const name = `worker ${pid ?? '?'} em ${host ?? '?'}`
    const read = toolVersions.safeParse(tools)
    const how = ISOLATIONS.find((one) => one === isolation)
    if (!read.success || !how)
      return [ok(name, `desde ${dateTime(started_at)}; ainda não disse com que lê os arquivos`)]
    const { garantia, ffmpeg, sharp } = read.data
    const facts = `desde ${dateTime(started_at)}; leitura de arquivos: ${ISOLATION_TEXT[how]}; Garantia ${garantia}, ffmpeg ${ffmpeg ?? 'nenhum'}, sharp ${sharp}`
    return [
      how === 'isolated' || how === 'container'
        ? ok(name, facts)
        : warning(name, facts, 'veja docs/operating.md, «Where untrusted files are read»'),
      ...(ffmpeg === null
        ? [
            warning(
              name,
              'sem ffmpeg: vídeos são recusados',
              'instale o ffmpeg 4.4 ou mais novo (apt-get install ffmpeg)',
            ),
          ]
        : []),
    ]
  })
  const versions = new Set(workers.map(({ tools }) => JSON.stringify(tools)))
  if (versions.size > 1)
    found.push(
      warning('worker', 'os workers têm versões diferentes', 'atualize todos e reinicie um depois do outro'),
    )
  return found
}

/** Jobs that wait for nobody, and files, mails and dossiers that failed. */
export async function queueFindings(ctx: Ctx): Promise<Finding[]> {
  const work = await readWork(ctx)
  const waited = work.oldest_seconds / 60
  const sizes = `${counted(work.queued, 'trabalho espera', 'trabalhos esperam')}, ${counted(work.running, 'roda', 'rodam')}`
  const found: Finding[] = [
    waited > LONGEST_WAIT_MINUTES
      ? fault(
          'fila',
          `${sizes}; o mais antigo espera há ${Math.round(waited)} min`,
          'npm run worker -- fila mostra o que roda; mais workers, ou WORKER_CONCURRENCY maior, esvaziam a fila',
        )
      : ok('fila', sizes),
  ]
  for (const { kind, text } of problemsOf(work, ctx.clock()))
    if (kind === 'paused') found.push(warning('fila', text, 'npm run worker -- fila retomar'))
    else if (kind === 'frozen')
      found.push(warning('worker', text, 'reinicie-o, ou a máquina dele; seus arquivos seguem noutro worker'))
  if (work.given_up > 0)
    found.push(
      warning(
        'fila',
        `${counted(work.given_up, 'trabalho esgotou', 'trabalhos esgotaram')} as tentativas`,
        'npm run worker -- fila mostra o último erro de cada um; fila repetir ID roda um de novo',
      ),
    )
  const { n: failed } = await failedFiles(ctx)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (failed > 0)
    found.push(
      warning(
        'conversão',
        `${counted(failed, 'arquivo', 'arquivos')} com erro em OS abertas`,
        'npm run worker -- repetir --falhos',
      ),
    )
  return found
}

/** Mails that were not sent, with the mail server's last answer. */
export async function mailFindings(ctx: Ctx): Promise<Finding[]> {
  const { n, error } = await ctx.db
    .selectFrom('mails')
    .where('sent_at', 'is', null)
    .where('created_at', '<', new Date(ctx.clock().getTime() - MAIL_MINUTES * 60_000))
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('error').as('error')])
    .executeTakeFirstOrThrow()
  if (!ctx.config.SMTP_URL)
    return [
      warning(
        'e-mail',
        'sem servidor: as mensagens ficam em Configurações → Caixa de saída',
        'defina SMTP_URL e MAIL_FROM',
      ),
    ]
  if (n === 0) return [ok('e-mail', 'nada parado')]
  return [
    fault(
      'e-mail',
      `${counted(n, 'mensagem não enviada', 'mensagens não enviadas')} há mais de ${MAIL_MINUTES} min${error ? `: ${error}` : ''}`,
      'confira SMTP_URL e o servidor de e-mail; o envio é tentado de novo sozinho',
    ),
  ]
}
