import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { matchesHead } from '@garantia/server/features/records/chain'
import {
  FILE_FAULT,
  type Rescued,
  removeOrphans,
  rescueOrphans,
  verifyStorage,
} from '@garantia/server/features/records/integrity'
import { applyRetention, emptyBin, readBin, readRetention } from '@garantia/server/features/records/retention'
import { MOVE_TARGETS, type MoveTarget, moveFiles } from '@garantia/server/features/system/move-files'
import { invalid } from '@garantia/shared/errors'
import { bytes, counted, date } from '@garantia/shared/format'
import { RETENTION_VERDICT } from '@garantia/shared/retention/rules'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { chainFaultText, verifyFiles, verifyTrail } from '../verification.ts'
import { EXIT, jsonOption, positive, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
}
const OF_ORPHANS =
  'Órfão é o que nenhum registro cita, por exemplo depois de restaurar um banco mais antigo: resgatar --para PASTA copia-os, limpar --orfaos elimina-os.'
const OF_DIFFERENT =
  'Diferente é o que tem outros bytes no destino: ficou nos dois lugares; verificar, com cada armazenamento, diz qual é o registrado.'
/** Makes the folder; throws AppError `invalid` when it has something already. */
async function newFolder(path: string) {
  const folder = resolve(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw invalid(`A pasta ${folder} não está vazia: escolha outra em --para.`, 'para')
  return folder
}
const csvOf = (rescued: readonly Rescued[]) =>
  [
    'os_id;arquivo;bytes;sha256',
    ...rescued.map((one) => [one.order_id, one.key, one.size, one.sha256].join(';')),
  ]
    .map((line) => `${line}\r\n`)
    .join('')
const filesAnd = (files: number, size: number) => `${counted(files, 'arquivo', 'arquivos')} (${bytes(size)})`

/** Commands for stored files: integrity checks, the bin, retention and the event chain. */
export function fileCommands(program: Command) {
  program
    .command('verificar')
    .description('compara o banco com o armazenamento: arquivos ausentes, alterados e órfãos')
    .option('--rapido', 'compara só presença e tamanho, sem ler o conteúdo')
    .addOption(jsonOption)
    .action((options: Options & { rapido?: boolean }) =>
      runCommand(options, async (ctx) => {
        const report = options.rapido ? await verifyStorage(ctx, { deep: false }) : await verifyFiles(ctx)
        const { faults } = report
        return {
          data: report,
          lines: [
            `${counted(report.objects, 'objeto', 'objetos')} de ${counted(report.orders, 'OS', 'OS')} (${bytes(report.bytes)}): ${faults.length === 0 ? 'nenhum problema.' : `${counted(faults.length, 'problema', 'problemas')}.`}`,
            ...faults.map(
              ({ kind, key, order_id }) =>
                `${FILE_FAULT[kind].padEnd(9)} ${key}${order_id ? `  OS id ${order_id}` : ''}`,
            ),
            ...(faults.some(({ kind }) => kind === 'orphan') ? [OF_ORPHANS] : []),
          ],
          exit: faults.length > 0 ? EXIT.found : EXIT.done,
        }
      }),
    )

  program
    .command('resgatar')
    .description(
      'copia para uma pasta o que nenhum registro cita, como depois de um banco restaurado; não elimina nada',
    )
    .requiredOption('--para <pasta>', 'uma pasta nova, que recebe também resgatados.csv')
    .addOption(jsonOption)
    .action((options: Options & { para: string }) =>
      runCommand(options, async (ctx) => {
        const folder = await newFolder(options.para)
        const rescued = await rescueOrphans(ctx, folder)
        await writeFile(join(folder, 'resgatados.csv'), csvOf(rescued), { mode: 0o600 })
        const size = rescued.reduce((sum, one) => sum + one.size, 0)
        return {
          data: { rescued },
          lines: [
            `Copiados para ${folder}: ${filesAnd(rescued.length, size)}; resgatados.csv diz de que OS são.`,
          ],
          exit: rescued.length > 0 ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  program
    .command('mover-arquivos')
    .description(
      'copia os arquivos da pasta para o bucket de S3_BUCKET, ou de volta, e lê cada cópia; interrompido, continua',
    )
    .addOption(new Option('--para <lugar>', 'onde ficam').choices(MOVE_TARGETS).makeOptionMandatory())
    .option(
      '--remover',
      'remove de onde estavam os que estão iguais nos dois lugares; com servidor e worker parados',
    )
    .addOption(jsonOption)
    .action((options: Options & { para: MoveTarget; remover?: boolean }) =>
      runCommand(options, async (ctx) => {
        const report = await moveFiles(ctx, options.para, options.remover === true)
        const { different, objects, removed } = report
        return {
          data: report,
          lines: [
            `No ${options.para === 's3' ? 'bucket' : 'disco'}: ${filesAnd(objects - different.length, report.bytes)}, ${counted(report.copied, 'copiado agora', 'copiados agora')}.`,
            ...(removed > 0 ? [`${counted(removed, 'removido', 'removidos')} de onde estavam.`] : []),
            ...different.map((key) => `diferente ${key}`),
            ...(different.length > 0 ? [OF_DIFFERENT] : []),
          ],
          exit: different.length > 0 ? EXIT.found : objects > 0 ? EXIT.done : EXIT.nothing,
        }
      }),
    )

  program
    .command('limpar')
    .description('elimina de vez o que está na lixeira há mais de 30 dias')
    .option('--simular', 'só mostra o que seria eliminado')
    .option('--orfaos', 'elimina também os objetos que nenhum registro cita')
    .addOption(jsonOption)
    .action((options: Options & { simular?: boolean; orfaos?: boolean }) =>
      runCommand(options, async (ctx) => {
        const bin = await (options.simular ? readBin(ctx) : emptyBin(ctx))
        const orphans = options.orfaos && !options.simular ? await removeOrphans(ctx) : null
        const isNothing = bin.orders + bin.files + (orphans?.objects ?? 0) === 0
        return {
          data: { ...bin, orphans, simulated: options.simular === true },
          lines: [
            `${options.simular ? 'Seriam eliminados' : 'Eliminados'}: ${counted(bin.orders, 'OS', 'OS')}, ${filesAnd(bin.files, bin.bytes)}.`,
            ...(bin.held > 0 ? [`${counted(bin.held, 'OS', 'OS')} em retenção judicial: intocadas.`] : []),
            ...(orphans ? [`Órfãos eliminados: ${filesAnd(orphans.objects, orphans.bytes)}.`] : []),
          ],
          exit: isNothing ? EXIT.nothing : EXIT.done,
        }
      }),
    )

  program
    .command('retencao')
    .description('elimina as mídias de OS concluídas cujo prazo de guarda da marca terminou')
    .option('--simular', 'só mostra o que seria eliminado, e o que segura o resto')
    .option('--aplicar', 'elimina; sem volta')
    .addOption(jsonOption)
    .action((options: Options & { simular?: boolean; aplicar?: boolean }, command: Command) => {
      if (Boolean(options.simular) === Boolean(options.aplicar))
        command.error('escolha --simular ou --aplicar', { exitCode: EXIT.usage })
      return runCommand(options, async (ctx) => {
        const report = await (options.simular ? readRetention(ctx) : applyRetention(ctx))
        return {
          data: { ...report, simulated: options.simular === true },
          lines: [
            `${options.simular ? 'Seriam eliminadas' : 'Eliminadas'} as mídias de ${counted(report.orders, 'OS', 'OS')}: ${filesAnd(report.files, report.bytes)}.`,
            ...report.items.map(
              (item) =>
                `OS ${item.os_number}  ${item.brand}  ${item.company}  concluída em ${date(item.completed_at)}, ${item.months} meses: ${filesAnd(item.files, item.bytes)}, ${RETENTION_VERDICT[item.verdict]}`,
            ),
          ],
          exit: report.orders > 0 ? EXIT.done : EXIT.nothing,
        }
      })
    })

  program
    .command('verificar-cadeia')
    .description(
      'confere se a trilha das OS, pessoas, empresas e marcas, ou o registro de acessos, foi alterada ou cortada',
    )
    .option('--id <id>', 'só a OS de id interno', positive)
    .option('--manifesto <arquivo>', 'confere contra o manifesto.json de um dossiê que saiu daqui')
    .addOption(jsonOption)
    .action((options: Options & { id?: number; manifesto?: string }) =>
      runCommand(options, async (ctx) => {
        const sealed = options.manifesto === undefined ? null : await manifestHead(options.manifesto)
        const only = sealed?.order.id ?? options.id
        const report = await verifyTrail(ctx, only)
        if (!sealed && only !== undefined && report.orders + report.faults.length === 0)
          return {
            data: { error: 'not_found' },
            lines: [`Nenhuma OS com o id ${only} tem eventos.`],
            exit: EXIT.nothing,
          }
        const faults = [...report.faults]
        if (sealed && !(await matchesHead(ctx, sealed.order.id, sealed.event_chain)))
          faults.push({
            subject: 'order',
            subject_id: sealed.order.id,
            order_id: sealed.order.id,
            at: null,
            seq: sealed.event_chain.seq,
            problem: 'não é o evento que o manifesto selou',
          })
        return {
          data: { ...report, faults },
          lines: [
            `${counted(report.events, 'evento', 'eventos')} de ${counted(report.orders, 'OS', 'OS')} e ${counted(report.others, 'cadastro', 'cadastros')}, ${counted(report.accesses, 'acesso', 'acessos')}, ${counted(report.seals, 'selo', 'selos')}, ${counted(report.entries, 'registro', 'registros')} do diário, ${counted(report.stamps, 'carimbo', 'carimbos')} de tempo: ${faults.length === 0 ? 'cadeia íntegra.' : `${counted(faults.length, 'evidência', 'evidências')} de adulteração.`}`,
            ...faults.map(chainFaultText),
          ],
          exit: faults.length > 0 ? EXIT.found : EXIT.done,
        }
      }),
    )
}

const sealedManifest = z.object({
  order: z.object({ id: z.number() }),
  event_chain: z.object({ seq: z.number(), hash: z.string() }),
})
async function manifestHead(path: string) {
  const read = sealedManifest.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!read.success) throw new Error(`${path} não é o manifesto de um dossiê`)
  return read.data
}
