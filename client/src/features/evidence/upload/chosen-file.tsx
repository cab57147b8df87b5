import { DocumentIcon } from '@blueprintjs/icons'
import { FILE_TYPE_LABEL } from '@garantia/shared/evidence/formats'
import { bytes } from '@garantia/shared/format'
import { useEffect, useState } from 'react'
import { guessFileType } from '../files/guess-file-type.ts'
import { FILE_TYPE_ICON } from '../grid/file-type-icon.tsx'
import './upload.css'

/** Picture, name and size of a file of this device, in a row of a list. */
export function ChosenFile({ file }: { file: File }) {
  const kind = guessFileType(file)
  return (
    <>
      <Picture file={file} />
      <div className="upload-row-text">
        <span className="clip" title={file.name}>
          {file.name}
        </span>
        <span className="upload-row-meta">
          {bytes(file.size)}
          {kind && ` · ${FILE_TYPE_LABEL[kind]}`}
        </span>
      </div>
    </>
  )
}

/** Preview, since phones name photos IMG_2931; files the browser cannot display get an icon. */
function Picture({ file }: { file: File }) {
  const kind = guessFileType(file)
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (kind !== 'image') return
    const created = URL.createObjectURL(file)
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [file, kind])
  return (
    <span className="upload-row-picture" aria-hidden="true">
      {address ? (
        <img src={address} alt="" loading="lazy" decoding="async" onError={() => setAddress(undefined)} />
      ) : kind ? (
        FILE_TYPE_ICON[kind]
      ) : (
        <DocumentIcon />
      )}
    </span>
  )
}
