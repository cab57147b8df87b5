import { DocumentIcon, MediaIcon, VideoIcon } from '@blueprintjs/icons'
import type { FileType } from '@garantia/shared/evidence/formats'
import type { ReactElement } from 'react'

export const FILE_TYPE_ICON: Record<FileType, ReactElement> = {
  image: <MediaIcon />,
  video: <VideoIcon />,
  document: <DocumentIcon />,
  pdf: <DocumentIcon />,
}
