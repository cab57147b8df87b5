import { Button, ProgressBar } from '@blueprintjs/core'
import { CrossIcon, PauseIcon, PlayIcon, RepeatIcon } from '@blueprintjs/icons'
import { bytes } from '@garantia/shared/format'
import { memo, type ReactElement, type ReactNode } from 'react'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { ChosenFile } from './chosen-file.tsx'
import { byKey, isUnderWay, mayPassLater, type UploadItem, type UploadPredicate } from './upload-item.ts'
import { RETRY_DELAYS_MS } from './upload-queue.ts'
import { uploads } from './uploads.ts'

interface Props {
  item: UploadItem
  /** Shown instead of a state before the file is sent. */
  beforeSending?: ((item: UploadItem) => ReactNode) | undefined
}

export const UploadRow = memo(function UploadRow({ item, beforeSending }: Props) {
  const { file } = item
  const text = sentence(item)
  return (
    <div className="upload-row">
      <ChosenFile file={file} />
      {item.state === 'chosen' ? beforeSending?.(item) : <State item={item} />}
      <UploadActions item={item} />
      {text && <p className={`upload-row-reason is-${item.state}`}>{text}</p>}
    </div>
  )
})

function UploadActions({ item }: { item: UploadItem }) {
  const { key, file, state } = item
  const actionButton = (
    icon: ReactElement,
    title: string,
    what: string,
    onClick: (which: UploadPredicate) => void,
  ) => (
    <Button
      variant="minimal"
      icon={icon}
      aria-label={what}
      title={title}
      onClick={() => onClick(byKey(key))}
    />
  )
  return (
    <div className="upload-row-buttons">
      {(state === 'failed' || mayPassLater(item)) &&
        actionButton(
          <RepeatIcon />,
          'Tentar novamente',
          `Tentar enviar ${file.name} novamente`,
          uploads.resume,
        )}
      {state === 'paused' &&
        actionButton(<PlayIcon />, 'Continuar', `Continuar o envio de ${file.name}`, uploads.resume)}
      {isUnderWay(item) &&
        state !== 'queued' &&
        actionButton(<PauseIcon />, 'Pausar', `Pausar o envio de ${file.name}`, uploads.pause)}
      {isUnderWay(item) || state === 'paused'
        ? actionButton(<CrossIcon />, 'Cancelar', `Cancelar o envio de ${file.name}`, uploads.remove)
        : state !== 'sent' &&
          state !== 'already_there' &&
          actionButton(<CrossIcon />, 'Remover da lista', `Remover ${file.name} da lista`, uploads.remove)}
    </div>
  )
}

/**
 * The server's reason starts with the file name, for use in lists; here the name is already shown above it.
 */
function sentence({ state, tries, file, reason }: UploadItem) {
  if (state === 'offline') return 'Continua de onde parou quando a conexão voltar.'
  if (reason === null || state === 'already_there') return null
  const text = reason.startsWith(`${file.name}: `) ? reason.slice(file.name.length + 2) : reason
  return state === 'retrying'
    ? `${text} Nova tentativa automática (${tries} de ${RETRY_DELAYS_MS.length}).`
    : text
}

function State({ item }: { item: UploadItem }) {
  const { state, file, loaded, bytes_per_second } = item
  if (state === 'queued') return <span className="upload-row-state muted">Na fila</span>
  if (state === 'sent') return <Badge colour="green">Enviado</Badge>
  if (state === 'already_there') return <Badge colour="blue">Já estava nesta OS</Badge>
  if (state === 'refused') return <Badge colour="red">Recusado</Badge>
  if (state === 'failed') return <Badge colour="red">Não enviado</Badge>
  if (state === 'offline') return <Badge colour="yellow">Aguardando conexão</Badge>
  if (state === 'retrying') return <Badge colour="yellow">Servidor ocupado</Badge>
  const share = file.size === 0 ? 0 : Math.min(1, loaded / file.size)
  const percent = `${Math.floor(share * 100)} %`
  return (
    <div className="upload-row-progress">
      <ProgressBar value={share} animate={false} stripes={false} aria-label={`Envio de ${file.name}`} />
      <span className="numeric">
        {state === 'paused' ? `Pausado em ${percent}` : share === 1 ? 'Conferindo…' : percent}
        {share < 1 && bytes_per_second > 0 && ` · ${bytes(bytes_per_second)}/s`}
      </span>
    </div>
  )
}
