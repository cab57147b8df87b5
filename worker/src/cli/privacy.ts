import {
  anonymise,
  findSubject,
  openSubjectArchive,
  ordersOf,
  recordExport,
  requestAnonymisation,
} from '@garantia/server/features/records/privacy'
import { bytes, counted } from '@garantia/shared/format'
import { CONFIRM_WORD, type SubjectFindings, subjectInput } from '@garantia/shared/privacy/subject'
import type { Command } from 'commander'
import { EXIT, jsonOption, runCommand } from './run-command.ts'

interface Options {
  json?: boolean
  simular?: boolean
  motivo?: string
}
const BY = { documento: 'document', email: 'email', telefone: 'phone' } as const

/** The rights of the people whose data the orders have (LGPD). */
export function privacyCommands(program: Command) {
  program
    .command('lgpd-anonimizar')
    .description('troca os dados de um cliente por um pseudônimo em todas as OS dele; os fatos da OS ficam')
    .argument('<dado>', 'documento, email ou telefone')
    .argument('<valor>', 'CPF, CNPJ, email ou telefone do titular')
    .option('--simular', 'só mostra o que seria anonimizado')
    .option('--motivo <texto>', 'anonimiza também o que está retido, em andamento ou em prazo de guarda')
    .addOption(jsonOption)
    .action((dado: string, valor: string, options: Options) =>
      runCommand(options, async (ctx) => {
        const given = subjectOf(dado, valor)
        if (!given.success) return wrong(given.error.issues[0]?.message)
        const found = await findSubject(ctx, given.data)
        const lines = linesOf(found)
        if (found.orders.length === 0) return { data: found, lines: ['Nenhuma OS.'], exit: EXIT.nothing }
        if (options.simular) return { data: found, lines }
        const { id, pseudonym } = await requestAnonymisation(ctx, {
          ...given.data,
          confirmation: CONFIRM_WORD,
          reason: options.motivo,
        })
        await anonymise(ctx, id)
        return { data: { ...found, pseudonym }, lines: [...lines, `Anonimizado como «${pseudonym}».`] }
      }),
    )

  program
    .command('lgpd-exportar')
    .description('grava um ZIP com tudo o que há de um cliente: dados, arquivos e a resposta em PDF')
    .argument('<dado>', 'documento, email ou telefone')
    .argument('<valor>', 'CPF, CNPJ, email ou telefone do titular')
    .argument('<arquivo>', 'onde gravar o ZIP')
    .option('--simular', 'só mostra o que seria exportado')
    .addOption(jsonOption)
    .action((dado: string, valor: string, arquivo: string, options: Options) =>
      runCommand(options, async (ctx) => {
        const given = subjectOf(dado, valor)
        if (!given.success) return wrong(given.error.issues[0]?.message)
        const found = await findSubject(ctx, given.data)
        const lines = linesOf(found)
        if (found.orders.length === 0) return { data: found, lines: ['Nenhuma OS.'], exit: EXIT.nothing }
        if (options.simular) return { data: found, lines }
        const ids = (await ordersOf(ctx, given.data)).map(({ id }) => id)
        const archive = await openSubjectArchive(ctx, given.data, ids, async () => undefined)
        // Its libraries write PDF: every other command would wait for them.
        const { writeSubjectArchive } = await import('../dossier/subject-archive.ts')
        await ctx.scratch.within('titular', (dir) =>
          writeSubjectArchive(archive, dir, arquivo, new AbortController().signal),
        )
        await recordExport(ctx, ids, {})
        return { data: { ...found, arquivo }, lines: [...lines, `Gravado em ${arquivo}.`] }
      }),
    )
}

const subjectOf = (dado: string, valor: string) =>
  subjectInput.safeParse({ by: BY[dado as keyof typeof BY], value: valor })

const wrong = (message = 'Dado inválido') => ({
  data: { error: message },
  lines: [message],
  exit: EXIT.usage,
})

const linesOf = (found: SubjectFindings) => [
  `${counted(found.orders.length, 'OS', 'OS')}, ${counted(found.files, 'arquivo', 'arquivos')} (${bytes(found.bytes)}), ${counted(found.dossiers, 'dossiê', 'dossiês')}, ${counted(found.mails, 'email', 'emails')}, ${counted(found.views, 'vista', 'vistas')}, ${counted(found.imports, 'importação', 'importações')}`,
  ...found.orders.map(
    ({ os_number, company, blocked }) => `OS ${os_number}  ${company}${blocked ? `  ${blocked}` : ''}`,
  ),
]
