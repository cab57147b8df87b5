import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ZoomRef } from 'yet-another-react-lightbox'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { focusTitle } from '../../../ui/overlay/dialog-focus.ts'
import { busyKeyOf } from '../evidence-actions.ts'
import type { CardRights, FileAction } from '../files/card-actions.ts'
import { fileActionFor, isSingleKeyDisabled } from '../files/file-keys.ts'
import { positionOf, ViewerHeader } from './viewer-header.tsx'
import { ViewerPanel } from './viewer-panel.tsx'
import { ViewerProblem } from './viewer-problem.tsx'
import { ViewerStage } from './viewer-stage.tsx'
import { ViewerTools } from './viewer-tools.tsx'
import './viewer.css'

interface Props {
  files: readonly EvidenceFile[]
  /** Null keeps the viewer closed. It stays mounted so that focus can return to the cards. */
  id: number | null
  order: OrderView
  brand: string
  required: readonly RequiredCategory[]
  busy: ReadonlySet<string>
  rightsOn: (file: EvidenceFile) => CardRights
  /** Whether the order's own fields may be changed. */
  mayEdit: boolean
  /** Asks for another file of the same category; null where nothing can be uploaded. */
  onReplace: ((file: EvidenceFile) => void) | null
  act: (action: FileAction, file: EvidenceFile) => void
  onCategory: (file: EvidenceFile, category: EvidenceCategory | null) => void
  onShow: (id: number | null) => void
}

/** From this width the facts fit beside the picture. */
const ROOM_FOR_FACTS = '(min-width: 1024px)'

/** Full-window viewer for the files of an order, with all actions and facts of each file. */
export function EvidenceViewer({ files, id, onShow, ...rest }: Props) {
  const titleId = useId()
  const index = files.findIndex((file) => file.id === id)
  const lastIndex = useRef(0)
  if (index >= 0) lastIndex.current = index
  // The shown file was deleted: show its neighbour.
  const isLost = id !== null && index < 0
  const neighbour = files[Math.min(lastIndex.current, files.length - 1)]
  useEffect(() => {
    if (isLost) onShow(neighbour?.id ?? null)
  }, [isLost, neighbour, onShow])

  const shown = files[index] ?? neighbour
  const backToCard = () =>
    document.querySelector<HTMLElement>(`[data-card="${shown?.id}"]`)?.focus({ preventScroll: false })
  return (
    <Dialog
      isOpen={id !== null && shown !== undefined}
      onClose={() => onShow(null)}
      onOpening={focusTitle}
      onClosed={backToCard}
      shouldReturnFocusOnClose={false}
      canOutsideClickClose={false}
      aria-labelledby={titleId}
      className="viewer bp6-dark"
    >
      {shown && (
        <ViewerContent
          {...rest}
          titleId={titleId}
          files={files}
          file={shown}
          index={files.indexOf(shown)}
          onShow={onShow}
        />
      )}
    </Dialog>
  )
}

interface ViewerContentProps extends Omit<Props, 'id'> {
  titleId: string
  file: EvidenceFile
  index: number
}

function ViewerContent({
  titleId,
  files,
  file,
  index,
  busy,
  rightsOn,
  act,
  onCategory,
  onShow,
  ...of
}: ViewerContentProps) {
  const [isComparing, setIsComparing] = useState(false)
  const [hasPanel, setHasPanel] = useState(() => window.matchMedia(ROOM_FOR_FACTS).matches)
  const [zoom, setZoom] = useState(1)
  const zoomRef = useRef<ZoomRef>(null)
  const categories = useRef<HTMLDivElement>(null)
  const hint = useKeyHint()
  const rights = rightsOn(file)
  const isBusy = busy.has(busyKeyOf(file))
  const canCompare = file.file_type === 'image' && file.converted_url !== null

  const step = (to: number) => {
    const next = files[to]
    if (next) onShow(next.id)
  }
  const chooseCategory = () => {
    setHasPanel(true)
    // The panel may only be rendered in this frame.
    requestAnimationFrame(() => categories.current?.querySelector('select')?.focus())
  }
  const viewerCommandFor = (key: string): (() => void) | undefined => {
    switch (key) {
      // Arrows pan a zoomed picture.
      case 'ArrowLeft':
        return zoom > 1 ? undefined : () => step(index - 1)
      case 'ArrowRight':
        return zoom > 1 ? undefined : () => step(index + 1)
      case 'Home':
        return () => step(0)
      case 'End':
        return () => step(files.length - 1)
      case 'o':
        return canCompare ? () => setIsComparing(!isComparing) : undefined
      case 'i':
        return () => setHasPanel(!hasPanel)
      case '0':
        return rights.mayChange ? chooseCategory : undefined
      case '+':
      case '=':
        return () => zoomRef.current?.zoomIn()
      case '-':
        return () => zoomRef.current?.zoomOut()
      default:
        return undefined
    }
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || target.closest('select, input, textarea, video')) return
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    if (isSingleKeyDisabled(key)) return
    const action = fileActionFor(event, file, rights)
    const work = hasModifier ? undefined : viewerCommandFor(key)
    if (!work && (!action || isBusy)) return
    event.preventDefault()
    event.stopPropagation()
    if (work) work()
    else if (typeof action === 'string') act(action, file)
    else if (action) onCategory(file, action.category)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard shortcuts of the surrounding dialog
    <div className="viewer-frame" tabIndex={-1} onKeyDown={handleKeyDown}>
      <ViewerHeader titleId={titleId} file={file} index={index} total={files.length} />
      <p className="visually-hidden" role="status">
        {positionOf(file, index, files.length)}
      </p>
      <ViewerTools
        file={file}
        rights={rights}
        isBusy={isBusy}
        isComparing={isComparing && canCompare}
        canCompare={canCompare}
        hasPanel={hasPanel}
        zoom={zoom}
        zoomRef={zoomRef}
        act={act}
        onCompare={() => setIsComparing(!isComparing)}
        onPanel={() => setHasPanel(!hasPanel)}
      />
      <Button
        className="viewer-close"
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Fechar"
        {...hint('Fechar', 'escape')}
        onClick={() => onShow(null)}
      />
      <ViewerProblem file={file} mayConvert={rights.mayConvert} isBusy={isBusy} act={act} />
      <div className="viewer-body">
        <ViewerStage
          files={files}
          index={index}
          isComparing={isComparing}
          zoomRef={zoomRef}
          onIndex={step}
          onZoom={setZoom}
          mayConvert={rights.mayConvert}
          isBusy={isBusy}
          act={act}
        />
        {hasPanel && (
          <ViewerPanel
            {...of}
            file={file}
            mayChange={rights.mayChange}
            selectRef={categories}
            onCategory={(category) => onCategory(file, category)}
            onDescribe={() => act('describe', file)}
          />
        )}
      </div>
    </div>
  )
}
