import { bytes, counted, duration, MEGABYTE } from '../format.ts'
import {
  floorOf,
  IMAGE_FLOOR,
  longestVideo,
  PAGE_FLOOR,
  type PackageItem,
  packageLimit,
  planShares,
  type Share,
  wantOf,
} from './budget.ts'

export interface EstimatedFile extends PackageItem {
  name: string
}
export interface Estimate {
  files: number
  original_bytes: number
  limit_bytes: number
  /** Expected bytes of the package, as far as durations and dimensions are known. */
  estimated_bytes: number
  fits: boolean
  /** What to shorten or remove, one Portuguese sentence per cause. */
  advice: string[]
  /** Everything would fit if the finished files were converted again, smaller. */
  fitsReconverted: boolean
}

/** The estimate shown before upload and conversion, made with the plan that the conversion will use. */
export function estimatePackage(files: readonly EstimatedFile[], max_file_size_mb: number): Estimate {
  const shares = planShares(files, max_file_size_mb)
  const open = files.flatMap((file) => {
    const share = shares.get(file.id)
    return share && file.committed_bytes === null ? [{ file, share }] : []
  })
  const committed = files.reduce((sum, { committed_bytes }) => sum + (committed_bytes ?? 0), 0)
  const advice = [
    ...open.filter(isLeftOut).map(adviceOn),
    ...open.filter(isShortOfBytes).map(adviceOnPdf),
    ...adviceOnPhotos(open),
  ]
  const limit_bytes = packageLimit(max_file_size_mb)
  const fits = advice.length === 0 && committed <= limit_bytes
  return {
    files: files.length,
    original_bytes: files.reduce((sum, { file_size }) => sum + file_size, 0),
    limit_bytes,
    estimated_bytes: committed + open.reduce((sum, one) => sum + likely(one), 0),
    fits,
    advice,
    fitsReconverted: !fits && committed > 0 && estimatePackage(files.map(reopened), max_file_size_mb).fits,
  }
}

interface Planned {
  file: EstimatedFile
  share: Share
}
const isLeftOut = ({ share }: Planned) => !share.admitted
const isShortOfBytes = ({ file, share }: Planned) =>
  file.file_type === 'pdf' && share.admitted && share.bytes < floorOf(file)
const likely = ({ file, share }: Planned) => (share.admitted ? Math.min(share.bytes, wantOf(file)) : 0)
const reopened = (file: EstimatedFile): EstimatedFile => ({ ...file, committed_bytes: null })

function adviceOn({ file: { name, file_type, file_size, duration_seconds }, share }: Planned) {
  if (file_type !== 'video') return `«${name}» tem ${bytes(file_size)} e não pode ser reduzido: remova`
  const longest = longestVideo(share.bytes)
  if (longest < 1) return `«${name}» não cabe no que resta: remova`
  const length = duration_seconds === null ? '' : ` (${duration(duration_seconds)})`
  return `«${name}»${length} só cabe com até ${duration(longest)}: corte ou remova`
}

function adviceOnPdf({ file: { name, pages }, share }: Planned) {
  const most = Math.floor(share.bytes / PAGE_FLOOR)
  return pages && most >= 1 && most < pages
    ? `«${name}» (${counted(pages, 'página', 'páginas')}) só cabe com até ${counted(most, 'página', 'páginas')}: divida-o ou remova páginas`
    : `«${name}» não cabe no que resta: remova`
}

/** All photos shrink by the same ratio; when not even their minimums fit, some have to be removed. */
function adviceOnPhotos(open: readonly Planned[]) {
  const lack = open.reduce((sum, { file, share }) => {
    const isPhoto = file.file_type === 'image' && share.admitted
    return sum + (isPhoto ? Math.max(0, floorOf(file) - share.bytes) : 0)
  }, 0)
  const surplus = Math.ceil(lack / IMAGE_FLOOR)
  return surplus === 0
    ? []
    : [`Fotos demais para o limite: remova ao menos ${counted(surplus, 'foto', 'fotos')}`]
}

/** The estimate in one line: «7 arquivos, 412 MB → cabe em 25 MB (estimado 21,8 MB)». */
export function estimateText({ files, original_bytes, limit_bytes, estimated_bytes, fits }: Estimate) {
  const sent = `${counted(files, 'arquivo', 'arquivos')}, ${bytes(original_bytes)}`
  const limit = `${(limit_bytes / MEGABYTE).toLocaleString('pt-BR')} MB`
  return fits
    ? `${sent} → cabe em ${limit} (estimado ${bytes(estimated_bytes)})`
    : `${sent} → não cabe em ${limit}`
}
