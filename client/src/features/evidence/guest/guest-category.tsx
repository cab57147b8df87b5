import { Button, ProgressBar } from '@blueprintjs/core'
import { CameraIcon, CrossIcon, DocumentOpenIcon, MediaIcon, RepeatIcon } from '@blueprintjs/icons'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { GuestView } from '@garantia/shared/evidence/guest-link'
import { counted } from '@garantia/shared/format'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useIsTouch } from '../../../ui/page/pointer.ts'
import { byKey, isUnderWay, type UploadItem } from '../upload/upload-item.ts'
import type { createUploadQueue } from '../upload/upload-queue.ts'
import { readThumbnail } from './guest-calls.ts'

type Arrived = GuestView['files'][number]
type Queue = ReturnType<typeof createUploadQueue>

interface Props {
  token: string
  category: EvidenceCategory
  label: string
  accept: string
  /** What has arrived by the link. */
  files: readonly Arrived[]
  /** What has not arrived. */
  items: readonly UploadItem[]
  queue: Queue
  /** The next one to photograph. */
  isNext: boolean
  /** Null hides the buttons: the link is full, or the order closed. */
  onFiles: ((files: File[]) => void) | null
}

/** One category that a link asks for: what has arrived, and the camera. What is chosen is sent at once. */
export function GuestCategory({
  token,
  category,
  label,
  accept,
  files,
  items,
  queue,
  isNext,
  onFiles,
}: Props) {
  const isTouch = useIsTouch()
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles?.([...(currentTarget.files ?? [])])
    currentTarget.value = ''
  }
  return (
    <section className="guest-category panel" aria-labelledby={`guest-${category}`}>
      <div className="guest-category-head">
        <h2 id={`guest-${category}`}>{label}</h2>
        <span className="muted" role="status">
          {files.length > 0 && counted(files.length, 'enviado', 'enviados')}
        </span>
      </div>
      {files.length > 0 && (
        <ul className="guest-files" aria-label={`Enviados: ${label}`}>
          {files.map((file) => (
            <li key={file.id} title={file.filename}>
              <Thumbnail token={token} file={file} />
            </li>
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <ul className="guest-items">
          {items.map((item) => (
            <Item key={item.key} item={item} queue={queue} />
          ))}
        </ul>
      )}
      {onFiles && (
        <div className="guest-buttons">
          {isTouch && (
            <Button
              intent={isNext ? 'primary' : 'none'}
              size="large"
              icon={<CameraIcon />}
              text="Fotografar"
              aria-label={`Fotografar: ${label}`}
              onClick={() => camera.current?.click()}
            />
          )}
          <Button
            intent={isNext && !isTouch ? 'primary' : 'none'}
            size="large"
            icon={<DocumentOpenIcon />}
            text={isTouch ? 'Da galeria' : 'Escolher arquivos'}
            aria-label={`${isTouch ? 'Da galeria' : 'Escolher arquivos'}: ${label}`}
            onClick={() => chooser.current?.click()}
          />
          <input ref={camera} type="file" hidden accept="image/*" capture="environment" onChange={take} />
          <input ref={chooser} type="file" hidden multiple accept={accept} onChange={take} />
        </div>
      )}
    </section>
  )
}

/** The picture is asked for with the link's token, which an address in the page must not contain. */
function Thumbnail({ token, file }: { token: string; file: Arrived }) {
  const { data } = useQuery({
    queryKey: ['guest', token, file.id],
    queryFn: () => readThumbnail(token, file.id),
    enabled: file.has_thumbnail,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  if (address) return <img src={address} alt={file.filename} />
  return (
    <span className="guest-no-picture">
      <MediaIcon aria-hidden="true" />
      <span className="visually-hidden">{file.filename}</span>
    </span>
  )
}

function Item({ item, queue }: { item: UploadItem; queue: Queue }) {
  const { key, file, state, loaded } = item
  const share = file.size === 0 ? 0 : Math.min(1, loaded / file.size)
  return (
    <li className="guest-item">
      <span className="clip" title={file.name}>
        {file.name}
      </span>
      <div className="guest-item-buttons">
        {state === 'failed' && (
          <Button
            variant="minimal"
            icon={<RepeatIcon />}
            aria-label={`Tentar enviar ${file.name} novamente`}
            onClick={() => queue.resume(byKey(key))}
          />
        )}
        <Button
          variant="minimal"
          icon={<CrossIcon />}
          aria-label={isUnderWay(item) ? `Cancelar o envio de ${file.name}` : `Remover ${file.name} da lista`}
          onClick={() => queue.remove(byKey(key))}
        />
      </div>
      {isUnderWay(item) && (
        <ProgressBar
          className="guest-progress"
          value={share}
          animate={false}
          stripes={false}
          aria-label={`Envio de ${file.name}`}
        />
      )}
      <p className={state === 'refused' || state === 'failed' ? 'guest-reason is-bad' : 'guest-reason muted'}>
        {sentenceOf(item)}
      </p>
    </li>
  )
}

function sentenceOf({ state, reason, file }: UploadItem) {
  if (state === 'offline') return 'Sem conexão: continua de onde parou quando ela voltar.'
  if (state === 'already_there') return 'Este arquivo já tinha chegado.'
  if (state === 'queued') return 'Na fila'
  if (state === 'sending') return 'Enviando…'
  const text = reason ?? ''
  return text.startsWith(`${file.name}: `) ? text.slice(file.name.length + 2) : text
}
