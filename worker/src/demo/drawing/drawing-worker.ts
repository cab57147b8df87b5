import { writeFile } from 'node:fs/promises'
import { type ClipSpec, drawClip } from './clip.ts'
import { drawPhoto, type PhotoSpec } from './photo.ts'
import { type TechnicalReportSpec, writeTechnicalReport } from './technical-report.ts'

export type Drawing = PhotoSpec | ClipSpec | TechnicalReportSpec
export interface Request {
  id: number
  path: string
  drawing: Drawing
}
export interface Reply {
  id: number
  error?: string
}

/**
 * Runs in a process of its own: the worker's process must not be able to load SVG, so that no uploaded file
 * reaches that loader.
 */
process.on('message', ({ id, path, drawing }: Request) => {
  const done =
    drawing.kind === 'clip'
      ? drawClip(drawing, path)
      : drawing.kind === 'technical_report'
        ? writeTechnicalReport(drawing, path)
        : drawPhoto(drawing).then((bytes) => writeFile(path, bytes))
  done.then(
    () => process.send?.({ id } satisfies Reply),
    (error: Error) => process.send?.({ id, error: error.stack ?? error.message } satisfies Reply),
  )
})
process.on('disconnect', () => process.exit())
