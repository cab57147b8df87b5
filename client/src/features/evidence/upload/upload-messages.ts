import type { EvidenceRules } from '@garantia/shared/brands/schema'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { bytes, counted } from '@garantia/shared/format'
import { guessFileType } from '../files/guess-file-type.ts'
import { isUnderWay, type UploadItem } from './upload-item.ts'
import { summaryOf, type UploadSummary } from './upload-summary.ts'

const files = (count: number) => counted(count, 'arquivo', 'arquivos')

const speedOf = ({ bytes_per_second }: UploadSummary) =>
  bytes_per_second > 0 ? ` · ${bytes(bytes_per_second)}/s` : ''

/** Status line beside the dialog's buttons. */
export function progressLine(summary: UploadSummary) {
  const { total, sent, already_there, under_way, refused, failed, paused, loaded } = summary
  if (total === 0) return 'Nenhum arquivo escolhido'
  const done = sent + already_there
  if (under_way > 0) {
    if (summary.offline > 0) return `${done} de ${files(total)} · aguardando conexão`
    return `${done} de ${files(total)} · ${bytes(loaded)} de ${bytes(summary.bytes)}${speedOf(summary)}`
  }
  if (done + refused + failed + paused === 0) return `${files(total)} · ${bytes(summary.bytes)}`
  return endLine(summary)
}

/** Counts of files by outcome. */
function endLine({ sent, already_there, refused, failed, paused, unsent }: UploadSummary) {
  return [
    sent > 0 && counted(sent, 'enviado', 'enviados'),
    already_there > 0 && `${already_there} já na OS`,
    refused > 0 && counted(refused, 'recusado', 'recusados'),
    failed > 0 && counted(failed, 'não enviado', 'não enviados'),
    paused > 0 && counted(paused, 'pausado', 'pausados'),
    unsent > 0 && `${unsent} a enviar`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Status line of the tray: «3 de 7 · 41 MB de 120 MB · 5 MB/s». */
export function trayLine(summary: UploadSummary) {
  const { total, sent, already_there, under_way, paused, loaded } = summary
  return under_way + paused > 0
    ? `${sent + already_there} de ${total} · ${bytes(loaded)} de ${bytes(summary.bytes)}${speedOf(summary)}`
    : endLine(summary)
}

export function trayTitle({ under_way, paused, offline, refused, failed }: UploadSummary) {
  if (offline > 0) return counted(under_way, 'envio aguardando conexão', 'envios aguardando conexão')
  if (under_way > 0) return 'Enviando evidências'
  if (paused > 0) return 'Envio pausado'
  return refused + failed > 0 ? 'Envio com pendências' : 'Envio concluído'
}

/**
 * What becomes of files that wait for the network when the page is left; null while none waits, or as long as that is
 * not known. An iPhone deletes what a page has kept after a week without it, unless it is one of the home screen, which
 * has a storage of its own (WebKit's policy on storage).
 */
export function waitingNote(items: readonly UploadItem[], isForgetful: boolean) {
  const waiting = items.filter(isUnderWay)
  if (!waiting.some(({ state }) => state === 'offline')) return null
  const lost = waiting.filter(({ is_kept }) => is_kept === false).length
  if (lost > 0)
    return `${lost === 1 ? 'Não coube' : 'Não couberam'} neste aparelho: ${files(lost)}. Mantenha o Garantia aberto até o fim do envio.`
  if (waiting.some(({ is_kept }) => is_kept === undefined)) return null
  const kept = waiting.length === 1 ? 'Guardado neste aparelho' : 'Guardados neste aparelho'
  return isForgetful
    ? `${kept} por até 7 dias: mantenha o Garantia aberto até o fim do envio.`
    : `${kept}: se o Garantia for fechado, o envio continua quando ele for aberto.`
}

export function closeButtonLabel({ total, unsent, under_way }: UploadSummary) {
  if (under_way > 0 && unsent === 0) return 'Continuar em segundo plano'
  return total > 0 && unsent === 0 ? 'Fechar' : 'Cancelar'
}

/** Confirmation texts: for closing the dialog with unsent files, and for cancelling uploads under way. */
export const closingQuestion = ({ unsent }: UploadSummary) => ({
  title: 'Fechar sem enviar?',
  text: `${counted(unsent, 'arquivo escolhido ainda não foi enviado', 'arquivos escolhidos ainda não foram enviados')}.`,
  confirm: 'Fechar sem enviar',
  cancel: 'Voltar',
})
export function endingQuestion({ under_way, paused, failed, sent, already_there }: UploadSummary) {
  const kept = sent + already_there
  const left = `${counted(under_way + paused + failed, 'arquivo não será enviado', 'arquivos não serão enviados')}.`
  return {
    title: 'Cancelar o envio?',
    text:
      kept > 0
        ? `${left} ${counted(kept, 'arquivo que já chegou fica', 'arquivos que já chegaram ficam')} na OS.`
        : left,
    confirm: 'Cancelar o envio',
    cancel: 'Continuar enviando',
  }
}

interface UploadNotification {
  kind: 'success' | 'info' | 'error'
  title: string
  description: string
}

/**
 * Toasts for uploads that have just ended (UPL-7, UPL-8); `orderSuffix` names the order when another page is
 * shown.
 */
export function uploadNotifications(ended: readonly UploadItem[], orderSuffix = ''): UploadNotification[] {
  const { sent, already_there: known, refused, failed } = summaryOf(ended)
  const lost = refused + failed
  const notifications: UploadNotification[] = []
  if (sent > 0)
    notifications.push({
      kind: 'success',
      title: 'Evidências enviadas com sucesso',
      description:
        files(sent) + orderSuffix + (known > 0 ? `; ${counted(known, 'já estava', 'já estavam')} na OS` : ''),
    })
  else if (known > 0)
    notifications.push({
      kind: 'info',
      title: 'Nenhum arquivo novo',
      description: counted(known, 'arquivo já estava nesta OS', 'arquivos já estavam nesta OS'),
    })
  if (lost > 0)
    notifications.push({
      kind: 'error',
      title: 'Erro ao enviar evidências',
      description: `${counted(lost, 'arquivo não foi enviado', 'arquivos não foram enviados')}${orderSuffix}. O motivo está na lista.`,
    })
  return notifications
}

/** Screen reader text: bytes and speed are left out, as they change many times a second. */
export function progressAnnouncement({
  sent,
  already_there,
  total,
  under_way,
  offline,
  paused,
}: UploadSummary) {
  const done = `${sent + already_there} de ${files(total)} na OS`
  if (offline > 0) return `Aguardando conexão. ${done}`
  if (under_way === 0 && paused > 0) return `Envio pausado. ${done}`
  return done
}

/** Key whose change makes the announcement immediate; other changes are throttled. */
export const urgencyOf = ({ under_way, offline, paused, refused, failed }: UploadSummary) =>
  [under_way > 0, offline > 0, paused > 0, refused, failed].join()

/**
 * The brand's counts apply to the whole order, and the server refuses files beyond them; this warns before
 * sending.
 */
export function limitWarning(
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
    coming.filter(({ file }) => guessFileType(file) === 'video').length
  if (coming.length === 0) return null
  if (total > rules.max_evidence_count)
    return `A marca aceita até ${files(rules.max_evidence_count)} por OS; com estes serão ${total}.`
  if (videos > rules.max_video_count)
    return `A marca aceita até ${counted(rules.max_video_count, 'vídeo', 'vídeos')} por OS; com estes serão ${videos}.`
  return null
}
