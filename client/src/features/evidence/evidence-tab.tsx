import { Callout } from '@blueprintjs/core'
import { LockIcon, MediaIcon, RefreshIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import { categoryProgress, isFilled } from '@garantia/shared/evidence/category-progress'
import type { EvidenceFile, EvidenceList } from '@garantia/shared/evidence/schema'
import { UNDER_LEGAL_HOLD } from '@garantia/shared/orders/hold'
import type { OrderView } from '@garantia/shared/orders/schema'
import { CLOSED_ORDER, isClosed } from '@garantia/shared/orders/status'
import { can } from '@garantia/shared/policy'
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useActor } from '../../lib/actor.ts'
import { isAwayError } from '../../lib/messages.ts'
import { trpc } from '../../lib/trpc.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Delayed } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toaster.tsx'
import { useShortcut } from '../../ui/keys/shortcut.ts'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { GuidedCamera } from './camera/guided-camera.tsx'
import { EvidenceChecklist } from './checklist/evidence-checklist.tsx'
import { conversionProgress } from './conversion-announcement.ts'
import { BATCH_BUSY_KEY, useEvidenceActions } from './evidence-actions.ts'
import { type Read, useConversionReport } from './evidence-queries.ts'
import { EvidenceToolbar } from './evidence-toolbar.tsx'
import type { FileAction } from './files/card-actions.ts'
import { DescribeDialog } from './files/describe-dialog.tsx'
import { FilePicker } from './files/file-picker.tsx'
import { RemoveDialog } from './files/remove-dialog.tsx'
import { useRotations, withPendingRotations } from './files/use-rotations.ts'
import { countFiles } from './grid/evidence-counts.ts'
import { EvidenceGrid } from './grid/evidence-grid.tsx'
import { EvidenceSkeleton } from './grid/evidence-skeleton.tsx'
import { useFileSelection } from './grid/file-selection.ts'
import { SelectionBar } from './grid/selection-bar.tsx'
import { useGuestLinks } from './guest-links/use-guest-links.tsx'
import { MarksDialog } from './marks/marks-dialog.tsx'
import { usePackageDownload } from './package/package-download.ts'
import { PackageFitNotice } from './package/package-fit-notice.tsx'
import './evidence-tab.css'

const EvidenceViewer = lazy(async () => ({
  default: (await import('./viewer/evidence-viewer.tsx')).EvidenceViewer,
}))

interface Props {
  order: OrderView
  evidence: Read<EvidenceList>
  /** Stands above the files, beside the checklist. */
  above?: ReactNode
  onUpload: (files?: Iterable<File>, category?: string) => void
}

export function EvidenceTab({ order, evidence, above, onUpload }: Props) {
  const { data: list, error, refetch } = evidence
  if (list)
    return (
      <Evidence
        order={order}
        list={list}
        isStale={error !== null && !isAwayError(error)}
        above={above}
        onUpload={onUpload}
      />
    )
  if (error)
    return <ErrorState title="Erro ao carregar evidências" error={error} onRetry={() => void refetch()} />
  return (
    <Delayed>
      <EvidenceSkeleton />
    </Delayed>
  )
}

interface EvidenceProps {
  order: OrderView
  list: EvidenceList
  isStale: boolean
  above: ReactNode
  onUpload: (files?: Iterable<File>, category?: string) => void
}

function Evidence({ order, list, isStale, above, onUpload }: EvidenceProps) {
  const actor = useActor()
  const { data: report } = useConversionReport(order.id)
  const actions = useEvidenceActions(order.id)
  const zip = usePackageDownload()
  const downloadZip = () => zip.fetchPackage(order)
  const [fileToDelete, setFileToDelete] = useState<EvidenceFile | null>(null)
  const [asksToReconvert, setAsksToReconvert] = useState(false)
  const [described, setDescribed] = useState<readonly EvidenceFile[]>([])
  const [marked, setMarked] = useState<EvidenceFile | null>(null)
  const isOpen = !isClosed(order.status)
  const mayUpload = isOpen && can(actor, 'evidence.upload', order)
  const mayConvert = isOpen && can(actor, 'evidence.convert', order)
  const mayChange = isOpen && can(actor, 'evidence.change', order)
  const { data: hold } = trpc.retention.holdOf.useQuery({ id: order.id })
  const deletionRefusal = hold?.is_held ? UNDER_LEGAL_HOLD : null
  const { data: rules } = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const counts = countFiles(list.evidence_files)
  const { turn, turned } = useRotations(order.id)
  const files = useMemo(() => withPendingRotations(list.evidence_files, turned), [list, turned])
  const [viewed, setViewed] = useState<number | null>(null)
  const [wasViewed, setWasViewed] = useState(false)
  if (viewed !== null && !wasViewed) setWasViewed(true)

  const [isPhotographing, setIsPhotographing] = useState(false)
  const required = rules?.required_categories ?? []
  const lacksPhotos = mayUpload && categoryProgress(required, files).some((slot) => !isFilled(slot))

  const { convert, downloadFile, changeFiles } = actions
  const act = useCallback(
    (action: FileAction, file: EvidenceFile) => {
      if (action === 'view') setViewed(file.id)
      else if (action === 'turn-right') turn(file, 90)
      else if (action === 'turn-left') turn(file, -90)
      else if (action === 'convert') void convert(file)
      else if (action === 'remove') {
        if (deletionRefusal === null) setFileToDelete(file)
        else toast.warning({ title: file.original_filename, description: deletionRefusal })
      } else if (action === 'describe') setDescribed([file])
      else if (action === 'mark') setMarked(file)
      else if (action === 'accept-category') {
        const evidence_category = file.suggested_category?.category
        if (evidence_category) void changeFiles([{ file, change: { evidence_category } }])
      } else void downloadFile(file, action === 'original' ? 'original' : 'converted')
    },
    [convert, downloadFile, changeFiles, turn, deletionRefusal],
  )
  const rightsOn = ({ uploaded_by }: EvidenceFile) => ({
    mayConvert,
    mayChange,
    deletionRefusal,
    mayDelete: isOpen && can(actor, 'evidence.delete', { ...order, uploaded_by }),
  })
  const selection = useFileSelection(files)
  /** What is left without a bar to act on gives the focus back to its cards. */
  const focusCard = (id: number | undefined) =>
    document.querySelector<HTMLElement>(`[data-card="${id}"]`)?.focus({ preventScroll: true })
  const categorizeSelected = async (evidence_category: EvidenceCategory | null) => {
    const made = await actions.changeFiles(
      selection.files.map((file) => ({ file, change: { evidence_category } })),
    )
    if (document.activeElement?.closest('.bulk-bar') && made.length === selection.files.length)
      focusCard(made[0]?.file.id)
    selection.drop(made.map(({ file }) => file.id))
  }
  const setCategory = (file: EvidenceFile, evidence_category: EvidenceCategory | null) =>
    void actions.changeFiles([{ file, change: { evidence_category } }])
  const replace = ({ evidence_category }: EvidenceFile) => {
    setViewed(null)
    onUpload([], evidence_category ?? '')
  }
  useShortcut('u', () => onUpload(), { isEnabled: mayUpload, label: 'Upload' })
  useShortcut('c', () => void actions.convertAll(), {
    isEnabled: mayConvert && counts.pending + counts.failed > 0,
    label: 'Converter Todos',
  })
  useShortcut('f', () => focusCard(nextToDo(files)), {
    isEnabled: files.some(needsWork),
    label: 'Próximo arquivo com erro ou sem categoria',
  })
  useShortcut('d', downloadZip, { isEnabled: counts.converted > 0, label: 'Baixar Evidências (ZIP)' })
  const guestLinks = useGuestLinks(order)

  return (
    <div className="evidence">
      <span className="visually-hidden" role="status">
        {conversionProgress(report)}
      </span>
      {!isOpen && (
        <Callout icon={<LockIcon />} className="evidence-note">
          {CLOSED_ORDER}.
        </Callout>
      )}
      {isStale && (
        <Callout icon={<WarningSignIcon />} className="evidence-note" role="alert">
          A lista não foi atualizada e pode estar desatualizada. Nova tentativa a cada 3 segundos.
        </Callout>
      )}
      {rules && counts.converted < counts.total && (
        <PackageFitNotice
          rules={rules}
          present={list.evidence_files}
          items={[]}
          onReconvert={mayConvert ? () => setAsksToReconvert(true) : null}
        />
      )}
      <EvidenceToolbar
        counts={counts}
        package_bytes={list.package_bytes}
        package_limit_bytes={list.package_limit_bytes}
        onUpload={mayUpload ? () => onUpload() : null}
        onGuestLinks={guestLinks.open}
        onPhotograph={lacksPhotos ? () => setIsPhotographing(true) : null}
        onConvertAll={mayConvert ? () => void actions.convertAll() : null}
        onDownloadZip={downloadZip}
        isConvertingAll={actions.busy.has(BATCH_BUSY_KEY)}
        isZipping={zip.fetchedId !== undefined}
      />
      <div className="evidence-body">
        <EvidenceChecklist
          order={order}
          list={list}
          rights={{ mayUpload, mayConvert, mayChange, mayValidate: can(actor, 'evidence.validate', order) }}
          onUpload={onUpload}
          onConvert={(ids, force) =>
            void (ids.length === counts.total ? actions.convertAll(force) : actions.convertChosen(ids, force))
          }
          onDescribe={setDescribed}
        />
        <div className="evidence-files">
          {above}
          {counts.total === 0 ? (
            <NoEvidence onFiles={mayUpload ? onUpload : null} isClosed={!isOpen} />
          ) : (
            <EvidenceGrid
              files={files}
              busy={actions.busy}
              rightsOn={rightsOn}
              act={act}
              onCategory={(file, category) =>
                selection.has(file) ? void categorizeSelected(category) : setCategory(file, category)
              }
              selection={mayChange ? selection : null}
            />
          )}
        </div>
      </div>
      {mayChange && selection.files.length > 0 && (
        <SelectionBar
          selection={selection}
          total={files.length}
          brand={order.brand.display_name}
          required={required}
          onCategory={(category) => void categorizeSelected(category)}
          onClear={() => {
            if (document.activeElement?.closest('.bulk-bar')) focusCard(selection.files[0]?.id)
            selection.clear()
          }}
        />
      )}
      {wasViewed && (
        <Suspense fallback={null}>
          <EvidenceViewer
            files={files}
            id={viewed}
            order={order}
            mayEdit={isOpen && can(actor, 'order.change', order)}
            onReplace={mayUpload ? replace : null}
            brand={order.brand.display_name}
            required={required}
            busy={actions.busy}
            rightsOn={rightsOn}
            act={act}
            onCategory={setCategory}
            onShow={setViewed}
          />
        </Suspense>
      )}
      {guestLinks.dialog}
      <GuidedCamera
        isOpen={isPhotographing}
        order={order}
        files={list.evidence_files}
        required={required}
        onClose={() => setIsPhotographing(false)}
      />
      <MarksDialog file={marked} onClose={() => setMarked(null)} />
      <DescribeDialog
        files={described}
        brand={order.brand.display_name}
        required={required}
        onClose={() => setDescribed([])}
        onSave={(changes) => {
          setDescribed([])
          void actions.changeFiles(changes)
        }}
      />
      <ConfirmDialog
        isOpen={asksToReconvert}
        title="Converter todos de novo?"
        icon={<RefreshIcon />}
        confirmText="Converter de novo"
        onCancel={() => setAsksToReconvert(false)}
        onConfirm={() => {
          setAsksToReconvert(false)
          void actions.convertAll(true)
        }}
      >
        Os arquivos prontos perdem qualidade para que todos caibam no limite da marca. Os originais ficam como
        estão.
      </ConfirmDialog>
      <RemoveDialog
        file={fileToDelete}
        onClose={() => setFileToDelete(null)}
        onRemove={(file) => {
          setFileToDelete(null)
          void actions.remove(file)
        }}
      />
    </div>
  )
}

const needsWork = ({ status, evidence_category }: EvidenceFile) =>
  status === 'failed' || evidence_category === null
/** The id of the next such file after the focused one; after the last the first again. */
function nextToDo(files: readonly EvidenceFile[]) {
  const focused = Number(document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset.card)
  const after = files.findIndex(({ id }) => id === focused) + 1
  return [...files.slice(after), ...files].find(needsWork)?.id
}

interface NoEvidenceProps {
  onFiles: ((files: File[]) => void) | null
  isClosed: boolean
}
const NoEvidence = ({ onFiles, isClosed }: NoEvidenceProps) => (
  <div className="evidence-empty">
    <EmptyState
      icon={<MediaIcon size={20} />}
      title="Nenhuma evidência enviada"
      action={onFiles && <FilePicker onFiles={onFiles} />}
    >
      {onFiles
        ? 'Envie os arquivos como saíram do aparelho: eles serão convertidos para o pacote da marca.'
        : isClosed
          ? 'A OS foi encerrada sem arquivos. Reabra-a para enviar.'
          : 'Esta OS é de outro técnico: os arquivos são enviados por ele ou por um gestor.'}
    </EmptyState>
  </div>
)
