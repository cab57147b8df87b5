import type { Mark, MarkKind, Point } from '@garantia/shared/evidence/marks'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { type PointerEvent, useState } from 'react'
import { MarksDrawing } from './marks-drawing.tsx'
import { drawnMark, movedMark } from './marks-state.ts'

interface Props {
  file: EvidenceFile
  marks: readonly Mark[]
  chosen: number | null
  kind: MarkKind
  text: string
  /** Null when nothing came of a press. */
  onDraw: (mark: Mark | null) => void
  onChoose: (index: number | null) => void
  onMove: (index: number, mark: Mark) => void
}

interface Drag {
  from: Point
  to: Point
  /** The mark that is moved; null while a new one is drawn. */
  index: number | null
}

/** As large as the window has room for beside title, tools and buttons. */
const ratioOf = ({ width, height }: { width: number; height: number }) => ({
  aspectRatio: width / height,
  maxWidth: `calc(max(240px, 100dvh - var(--marks-around)) * ${width / height})`,
})

/** The photo as it is turned, without its marks, and over it what is drawn. */
export function MarksStage({ file, marks, chosen, kind, text, onDraw, onChoose, onMove }: Props) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [refused, setRefused] = useState<readonly string[]>([])
  const [drag, setDrag] = useState<Drag | null>(null)

  // A converted copy is turned already, but a marked one has its marks in it.
  const sources = [
    ...(file.marks.length === 0 && file.converted_url ? [{ url: file.converted_url, turn: 0 }] : []),
    ...[file.original_url, file.thumbnail_url].flatMap((url) => (url ? [{ url, turn: file.rotation }] : [])),
  ]
  const shown = sources.find(({ url }) => !refused.includes(url))
  if (!shown) return <p>Este navegador não mostra a foto. Converta-a antes de marcar.</p>
  const isOnSide = shown.turn % 180 !== 0

  const placeOf = ({ currentTarget, clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const share = (value: number) => Math.min(1, Math.max(0, value))
    return { x: share((clientX - left) / width), y: share((clientY - top) / height) }
  }
  const handleDown = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return
    // A text that is being typed keeps its field.
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const hit = (event.target as Element).closest<SVGElement>('[data-mark]')?.dataset.mark
    const index = hit === undefined ? null : Number(hit)
    onChoose(index)
    const at = placeOf(event)
    setDrag({ from: at, to: at, index })
  }
  const handleMove = (event: PointerEvent<SVGSVGElement>) => {
    if (drag) setDrag({ ...drag, to: placeOf(event) })
  }
  const changed = ({ from, to, index }: Drag) => {
    if (index === null) return drawnMark(kind, from, to, text)
    // It may have been taken back meanwhile.
    const mark = marks[index]
    return mark ? movedMark(mark, to.x - from.x, to.y - from.y) : null
  }
  const handleUp = () => {
    if (!drag) return
    setDrag(null)
    const mark = changed(drag)
    if (drag.index === null) onDraw(mark)
    else if (mark && (drag.from.x !== drag.to.x || drag.from.y !== drag.to.y)) onMove(drag.index, mark)
  }
  const dragged = drag && changed(drag)
  const visible =
    drag && dragged ? (drag.index === null ? [...marks, dragged] : marks.with(drag.index, dragged)) : marks

  return (
    <div className="marks-stage" style={size ? ratioOf(size) : {}}>
      <span className="marks-photo" data-turn={shown.turn}>
        <img
          key={shown.url}
          src={shown.url}
          alt={file.original_filename}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(
              isOnSide
                ? { width: naturalHeight, height: naturalWidth }
                : { width: naturalWidth, height: naturalHeight },
            )
          }
          onError={() => setRefused([...refused, shown.url])}
        />
      </span>
      {size && (
        <svg
          className="marks-drawing"
          viewBox={`0 0 ${size.width} ${size.height}`}
          aria-hidden="true"
          onPointerDown={handleDown}
          onPointerMove={handleMove}
          onPointerUp={handleUp}
          onPointerCancel={() => setDrag(null)}
        >
          <MarksDrawing marks={visible} chosen={chosen} {...size} />
        </svg>
      )}
    </div>
  )
}
