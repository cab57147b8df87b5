import { Button } from '@blueprintjs/core'
import { CameraIcon, CloudUploadIcon, DocumentOpenIcon, MobileVideoIcon } from '@blueprintjs/icons'
import { UPLOAD_ACCEPT } from '@garantia/shared/evidence/formats'
import { type ChangeEvent, useRef } from 'react'
import '../upload/upload.css'

interface Props {
  onFiles: (files: File[]) => void
  /** One line; used once files are listed below. */
  isCompact?: boolean
  hasFocus?: boolean
}

/** Drop events are handled by the page; this shows the drop area and opens the device's file pickers. */
export function FilePicker({ onFiles, isCompact = false, hasFocus = false }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const photo = useRef<HTMLInputElement>(null)
  const video = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])])
    // Allows the same file to be picked again after it was removed from the list.
    currentTarget.value = ''
  }
  return (
    <div className={`file-picker${isCompact ? ' is-compact' : ''}`}>
      {!isCompact && <CloudUploadIcon size={28} aria-hidden="true" className="file-picker-icon" />}
      <p className="only-mouse">
        {isCompact ? 'Solte mais arquivos aqui' : 'Solte fotos, vídeos e PDFs aqui'}
        <span className="muted"> ou cole uma imagem com Ctrl+V</span>
      </p>
      <div className="file-picker-buttons">
        <Button
          autoFocus={hasFocus}
          icon={<DocumentOpenIcon />}
          text={isCompact ? 'Adicionar arquivos' : 'Escolher arquivos'}
          onClick={() => files.current?.click()}
        />
        <Button
          className="only-touch"
          icon={<CameraIcon />}
          text="Tirar foto"
          onClick={() => photo.current?.click()}
        />
        <Button
          className="only-touch"
          icon={<MobileVideoIcon />}
          text="Gravar vídeo"
          onClick={() => video.current?.click()}
        />
      </div>
      <input ref={files} type="file" hidden multiple accept={UPLOAD_ACCEPT} onChange={take} />
      <input ref={photo} type="file" hidden accept="image/*" capture="environment" onChange={take} />
      <input ref={video} type="file" hidden accept="video/*" capture="environment" onChange={take} />
    </div>
  )
}
