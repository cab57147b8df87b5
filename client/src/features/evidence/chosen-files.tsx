import { Button, ProgressBar } from '@blueprintjs/core'
import { CrossIcon, DocumentIcon, RepeatIcon } from '@blueprintjs/icons'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import { bytes } from '@garantia/shared/format'
import { memo, useEffect, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { seemingKind } from './file-kind.ts'
import { KIND_ICON } from './kind-icon.tsx'
import { RETRY_DELAYS_MS, type UploadItem, type UploadQueue } from './upload-queue.ts'

interface Doors {
  queue: UploadQueue
  onRetry: (key: number) => void
}

/** Plain rows, each drawn anew only when its own file moves: 300 files stay fluent. */
export const ChosenFiles = ({ items, ...doors }: { items: readonly UploadItem[] } & Doors) => (
  <ul className="chosen-files" aria-label="Arquivos escolhidos">
    {items.map((item) => (
      <ChosenFile key={item.key} item={item} {...doors} />
    ))}
  </ul>
)

const ChosenFile = memo(function ChosenFile({ item, queue, onRetry }: { item: UploadItem } & Doors) {
  const { key, file, state, reason } = item
  const kind = seemingKind(file)
  const isDone = state === 'sent' || state === 'already_there'
  return (
    <li className="chosen-file">
      <Picture file={file} />
      <div className="chosen-file-text">
        <span className="clip" title={file.name}>
          {file.name}
        </span>
        <span className="chosen-file-meta">
          {bytes(file.size)}
          {kind && ` · ${FILE_TYPE_LABEL[kind]}`}
        </span>
      </div>
      <State item={item} />
      <div className="chosen-file-buttons">
        {state === 'failed' && (
          <Button
            variant="minimal"
            icon={<RepeatIcon />}
            aria-label={`Tentar enviar ${file.name} novamente`}
            title="Tentar novamente"
            onClick={() => onRetry(key)}
          />
        )}
        {!isDone && (
          <Button
            variant="minimal"
            icon={<CrossIcon />}
            aria-label={`Remover ${file.name} da lista`}
            title="Remover da lista"
            onClick={() => queue.remove(key)}
          />
        )}
      </div>
      {reason && state !== 'already_there' && (
        <p className={`chosen-file-reason is-${state}`}>{sentence(item, reason)}</p>
      )}
    </li>
  )
})

/** The refusal names the file, as it may stand in a list of many; here it stands under its name. */
function sentence({ state, tries, file }: UploadItem, reason: string) {
  const text = reason.startsWith(`${file.name}: `) ? reason.slice(file.name.length + 2) : reason
  return state === 'retrying'
    ? `${text} Nova tentativa automática (${tries} de ${RETRY_DELAYS_MS.length}).`
    : text
}

function State({ item: { state, file, loaded, bytes_per_second } }: { item: UploadItem }) {
  if (state === 'waiting') return <span className="chosen-file-state muted">Na fila</span>
  if (state === 'sent') return <Badge colour="green">Enviado</Badge>
  if (state === 'already_there') return <Badge colour="blue">Já estava na OS</Badge>
  if (state === 'refused') return <Badge colour="red">Recusado</Badge>
  if (state === 'failed') return <Badge colour="red">Não enviado</Badge>
  if (state === 'retrying') return <Badge colour="yellow">Sem conexão</Badge>
  if (state === 'chosen') return null
  const share = file.size === 0 ? 0 : Math.min(1, loaded / file.size)
  return (
    <div className="chosen-file-progress">
      <ProgressBar value={share} animate={false} stripes={false} aria-label={`Envio de ${file.name}`} />
      <span className="numeric">
        {share === 1 ? 'Conferindo…' : `${Math.floor(share * 100)} %`}
        {share < 1 && bytes_per_second > 0 && ` · ${bytes(bytes_per_second)}/s`}
      </span>
    </div>
  )
}

/** Phones name their photos IMG_2931: the picture says which it is. What the browser cannot draw gets a sign. */
function Picture({ file }: { file: File }) {
  const kind = seemingKind(file)
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (kind !== 'image') return
    const created = URL.createObjectURL(file)
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [file, kind])
  return (
    <span className="chosen-file-picture" aria-hidden="true">
      {address ? (
        <img src={address} alt="" loading="lazy" decoding="async" onError={() => setAddress(undefined)} />
      ) : kind ? (
        KIND_ICON[kind]
      ) : (
        <DocumentIcon />
      )}
    </span>
  )
}
