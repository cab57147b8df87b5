import type { EvidenceRules } from '@garantia/shared/brands/schema'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { bytes, counted } from '@garantia/shared/format'
import { seemingKind } from './file-kind.ts'
import type { UploadItem } from './upload-queue.ts'
import type { UploadSummary } from './upload-summary.ts'

const files = (count: number) => counted(count, 'arquivo', 'arquivos')

/** The line beside the buttons. */
export function progressLine(summary: UploadSummary) {
  const { total, sent, already_there, under_way, refused, failed, loaded, bytes_per_second } = summary
  if (total === 0) return 'Nenhum arquivo escolhido'
  const done = sent + already_there
  if (under_way > 0) {
    const speed = bytes_per_second > 0 ? ` · ${bytes(bytes_per_second)}/s` : ''
    return `${done} de ${files(total)} · ${bytes(loaded)} de ${bytes(summary.bytes)}${speed}`
  }
  if (done + refused + failed === 0) return `${files(total)} · ${bytes(summary.bytes)}`
  return [
    sent > 0 && counted(sent, 'enviado', 'enviados'),
    already_there > 0 && `${already_there} já na OS`,
    refused > 0 && counted(refused, 'recusado', 'recusados'),
    failed > 0 && counted(failed, 'não enviado', 'não enviados'),
    summary.unsent > 0 && `${summary.unsent} a enviar`,
  ]
    .filter(Boolean)
    .join(' · ')
}

export function closingWord({ total, unsent, under_way }: UploadSummary) {
  if (under_way > 0) return 'Interromper'
  return total > 0 && unsent === 0 ? 'Fechar' : 'Cancelar'
}

/** What is lost by closing now. */
export function closingQuestion({ under_way, sent, unsent }: UploadSummary) {
  // The upload ended while the question stood there.
  if (under_way + unsent === 0)
    return { title: 'Sair desta OS?', text: 'O envio terminou.', confirm: 'Sair', cancel: 'Ficar' }
  if (under_way === 0)
    return {
      title: 'Fechar sem enviar?',
      text: `${counted(unsent, 'arquivo escolhido ainda não foi enviado', 'arquivos escolhidos ainda não foram enviados')}.`,
      confirm: 'Fechar sem enviar',
      cancel: 'Voltar',
    }
  const kept = `${counted(sent, 'arquivo já foi enviado e fica', 'arquivos já foram enviados e ficam')} na OS. Os outros não serão enviados.`
  return {
    title: 'Interromper o envio?',
    text: sent > 0 ? kept : 'Nenhum arquivo chegou à OS ainda.',
    confirm: 'Interromper e fechar',
    cancel: 'Continuar enviando',
  }
}

interface News {
  kind: 'success' | 'info' | 'error'
  title: string
  description: string
}

/** What happened between two looks at the queue (UPL-7, UPL-8). */
export function uploadNews(before: UploadSummary, after: UploadSummary): News[] {
  const sent = after.sent - before.sent
  const known = after.already_there - before.already_there
  const lost = after.refused - before.refused + after.failed
  const news: News[] = []
  if (sent > 0)
    news.push({
      kind: 'success',
      title: 'Evidências enviadas com sucesso',
      description: files(sent) + (known > 0 ? `; ${counted(known, 'já estava', 'já estavam')} na OS` : ''),
    })
  else if (known > 0)
    news.push({
      kind: 'info',
      title: 'Nenhum arquivo novo',
      description: counted(known, 'arquivo já estava na OS', 'arquivos já estavam na OS'),
    })
  if (lost > 0)
    news.push({
      kind: 'error',
      title: 'Erro ao enviar evidências',
      description: `${counted(lost, 'arquivo não foi enviado', 'arquivos não foram enviados')}. O motivo está na lista.`,
    })
  return news
}

/** Bytes and speed change many times a second: nobody wants them read aloud. */
export const spokenProgress = ({ sent, already_there, total }: UploadSummary) =>
  `${sent + already_there} de ${files(total)} na OS`

/** The brand's counts are for the whole order; it refuses what goes beyond, so it is said before sending. */
export function overTheLimit(
  rules: EvidenceRules,
  present: readonly Pick<EvidenceFile, 'file_type'>[],
  items: readonly UploadItem[],
): string | null {
  const coming = items.filter(
    ({ state }) => state !== 'already_there' && state !== 'refused' && state !== 'sent',
  )
  const total = present.length + coming.length
  const videos =
    present.filter(({ file_type }) => file_type === 'video').length +
    coming.filter(({ file }) => seemingKind(file) === 'video').length
  if (coming.length === 0) return null
  if (total > rules.max_evidence_count)
    return `A marca aceita até ${files(rules.max_evidence_count)} por OS; com estes serão ${total}.`
  if (videos > rules.max_video_count)
    return `A marca aceita até ${counted(rules.max_video_count, 'vídeo', 'vídeos')} por OS; com estes serão ${videos}.`
  return null
}
