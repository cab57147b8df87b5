import { Button, Dialog } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import type { EvidenceCategory } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ZoomRef } from 'yet-another-react-lightbox'
import { callOf } from '../evidence-actions.ts'
import type { CardRights, FileDeed } from '../files/card-actions.ts'
import { deedOf, isSilenced } from '../files/file-keys.ts'
import { positionOf, ViewerHeader } from './viewer-header.tsx'
import { ViewerPanel } from './viewer-panel.tsx'
import { ViewerStage } from './viewer-stage.tsx'
import { ViewerTools } from './viewer-tools.tsx'
import './viewer.css'

interface Props {
  files: readonly EvidenceFile[]
  /** None keeps it closed; it stays mounted, or the focus would not return to the cards. */
  id: number | null
  brand: string
  required: readonly RequiredCategory[]
  busy: ReadonlySet<string>
  rightsOn: (file: EvidenceFile) => CardRights
  act: (deed: FileDeed, file: EvidenceFile) => void
  onCategory: (file: EvidenceFile, category: EvidenceCategory | null) => void
  onShow: (id: number | null) => void
}

/** From here on there is room for the facts beside the picture. */
const ROOM_FOR_FACTS = '(min-width: 1024px)'

/** The order's files one by one, as large as the window, with everything that can be said and done about them. */
export function EvidenceViewer({ files, id, onShow, ...rest }: Props) {
  const titleId = useId()
  const place = files.findIndex((file) => file.id === id)
  const lastPlace = useRef(0)
  if (place >= 0) lastPlace.current = place
  // The file was deleted: its neighbour takes over.
  const isLost = id !== null && place < 0
  const heir = files[Math.min(lastPlace.current, files.length - 1)]
  useEffect(() => {
    if (isLost) onShow(heir?.id ?? null)
  }, [isLost, heir, onShow])

  const shown = files[place] ?? heir
  const backToCard = () =>
    document.querySelector<HTMLElement>(`[data-card="${shown?.id}"]`)?.focus({ preventScroll: false })
  return (
    <Dialog
      isOpen={id !== null && shown !== undefined}
      onClose={() => onShow(null)}
      onClosed={backToCard}
      shouldReturnFocusOnClose={false}
      canOutsideClickClose={false}
      aria-labelledby={titleId}
      className="viewer bp6-dark"
    >
      {shown && (
        <Opened
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

interface OpenedProps extends Omit<Props, 'id'> {
  titleId: string
  file: EvidenceFile
  index: number
}

function Opened({
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
}: OpenedProps) {
  const [isPaired, setIsPaired] = useState(false)
  const [hasPanel, setHasPanel] = useState(() => window.matchMedia(ROOM_FOR_FACTS).matches)
  const [zoom, setZoom] = useState(1)
  const zoomRef = useRef<ZoomRef>(null)
  const categories = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('h2')?.focus({ preventScroll: true }), [])
  const rights = rightsOn(file)
  const isBusy = busy.has(callOf(file))
  const canPair = file.file_type === 'image' && file.converted_url !== null

  const step = (to: number) => {
    const next = files[to]
    if (next) onShow(next.id)
  }
  const chooseCategory = () => {
    setHasPanel(true)
    // The panel may only now be drawn.
    requestAnimationFrame(() => categories.current?.querySelector('select')?.focus())
  }
  const own = (key: string): (() => void) | undefined => {
    switch (key) {
      // A picture that is larger than the window is moved by the arrows.
      case 'ArrowLeft':
        return zoom > 1 ? undefined : () => step(index - 1)
      case 'ArrowRight':
        return zoom > 1 ? undefined : () => step(index + 1)
      case 'Home':
        return () => step(0)
      case 'End':
        return () => step(files.length - 1)
      case 'o':
        return canPair ? () => setIsPaired(!isPaired) : undefined
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
  const obey = (event: KeyboardEvent) => {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || target.closest('select, input, textarea, video')) return
    const isHeld = event.ctrlKey || event.metaKey || event.altKey
    if (isSilenced(key)) return
    const deed = deedOf(event, file, rights)
    const work = isHeld ? undefined : own(key)
    if (!work && (!deed || isBusy)) return
    event.preventDefault()
    event.stopPropagation()
    if (work) work()
    else if (typeof deed === 'string') act(deed, file)
    else if (deed) onCategory(file, deed.category)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the dialog around it
    <div ref={frame} className="viewer-frame" tabIndex={-1} onKeyDown={obey}>
      <ViewerHeader titleId={titleId} file={file} index={index} total={files.length} />
      <p className="visually-hidden" role="status">
        {positionOf(file, index, files.length)}
      </p>
      <ViewerTools
        file={file}
        rights={rights}
        isBusy={isBusy}
        isPaired={isPaired && canPair}
        canPair={canPair}
        hasPanel={hasPanel}
        zoom={zoom}
        zoomRef={zoomRef}
        act={act}
        onPair={() => setIsPaired(!isPaired)}
        onPanel={() => setHasPanel(!hasPanel)}
      />
      <Button
        className="viewer-close"
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Fechar"
        title="Fechar (Esc)"
        onClick={() => onShow(null)}
      />
      <div className="viewer-body">
        <ViewerStage
          files={files}
          index={index}
          isPaired={isPaired}
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
