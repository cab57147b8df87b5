import { countsOf, countWords } from '@garantia/shared/evidence/marks'
import type { EvidenceDetail, EvidenceFile } from '@garantia/shared/evidence/schema'
import { bytes, dateTime, duration, integer, percentSaved } from '@garantia/shared/format'
import { type ReactNode, useEffect, useRef } from 'react'
import { trpc } from '../../../lib/trpc.ts'

/** Facts of a file; the server read them from the original, the browser parses nothing. */
export function ViewerFacts({ file }: { file: EvidenceFile }) {
  const { data } = trpc.evidence.one.useQuery({ id: file.id }, { placeholderData: (before) => before })
  const utils = trpc.useUtils()
  const { id, thumbnail_url, converted_url, pages, duration_seconds } = file
  // The facts of a file just sent are read in the background; another converted copy has another SHA-256.
  const state = [thumbnail_url, converted_url, pages, duration_seconds].join(' ')
  const seen = useRef({ id, state })
  useEffect(() => {
    if (seen.current.id === id && seen.current.state !== state) void utils.evidence.one.invalidate({ id })
    seen.current = { id, state }
  }, [utils, id, state])
  const detail = data?.id === file.id ? data : null
  const saved = file.converted_size === null ? 0 : percentSaved(file.file_size, file.converted_size)
  return (
    <dl className="viewer-facts">
      <Fact term="Enviado por">{detail && (detail.guest_link ?? detail.uploaded_by_name ?? '—')}</Fact>
      {detail?.guest_link && <Fact term="Pelo link de">{detail.uploaded_by_name ?? '—'}</Fact>}
      <Fact term="Enviado em">{dateTime(file.uploaded_at)}</Fact>
      {file.file_type !== 'document' && file.file_type !== 'pdf' && <CaptureFacts detail={detail} />}
      {file.pages !== null && <Fact term="Páginas">{integer(file.pages)}</Fact>}
      {file.duration_seconds !== null && <Fact term="Duração">{duration(file.duration_seconds)}</Fact>}
      {file.rotation !== 0 && <Fact term="Giro">{file.rotation}° à direita; o original fica como veio</Fact>}
      {file.marks.length > 0 && (
        <Fact term="Marcas">{countWords(countsOf(file.marks))}; o original fica como veio</Fact>
      )}
      <Fact term="Original">{bytes(file.file_size)}</Fact>
      {file.converted_size !== null && (
        <Fact term="Convertido">
          {bytes(file.converted_size)}{' '}
          <span className={saved > 0 ? 'evidence-saved' : 'muted'}>{saved > 0 ? `−${saved} %` : '0 %'}</span>
        </Fact>
      )}
      <Fact term="SHA-256 do original">
        <Hash value={file.sha256} />
      </Fact>
      {detail?.converted_sha256 && (
        <Fact term="SHA-256 do convertido">
          <Hash value={detail.converted_sha256} />
        </Fact>
      )}
    </dl>
  )
}

/** As «Câmera» of a file that came from it. */
const APP_CAMERA = 'Capturada no app'

const CaptureFacts = ({ detail }: { detail: EvidenceDetail | null }) => (
  <>
    <Fact term="Feito em">{detail && (detail.captured_at ? dateTime(detail.captured_at) : '—')}</Fact>
    <Fact term="Câmera">{detail && (detail.app_capture ? APP_CAMERA : (detail.camera ?? '—'))}</Fact>
    <Fact term="Dimensões">
      {detail &&
        (detail.original_width && detail.original_height
          ? `${integer(detail.original_width)} × ${integer(detail.original_height)}`
          : '—')}
    </Fact>
    {detail !== null && (detail.orientation ?? 1) > 1 && (
      <Fact term="Orientação">EXIF {detail.orientation}: o convertido sai em pé</Fact>
    )}
    <Fact term="Localização">{detail && locationText(detail)}</Fact>
  </>
)

function locationText({ has_location, keeps_location }: EvidenceDetail) {
  if (has_location === null) return '—'
  if (!has_location) return 'Não contém localização'
  return keeps_location
    ? 'Contém localização: a marca pede que vá no pacote'
    : 'Contém localização: só no original, que só quem vê esta OS pode baixar'
}

const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd className="numeric">{children ?? '…'}</dd>
  </div>
)

const Hash = ({ value }: { value: string }) => <code className="viewer-hash">{value}</code>
