import {
  arrowOutline,
  inDrawingOrder,
  LABEL_BESIDE,
  letterOf,
  type Mark,
  strokeOf,
} from '@garantia/shared/evidence/marks'
import { useLayoutEffect, useRef, useState } from 'react'

interface Props {
  marks: readonly Mark[]
  chosen: number | null
  /** Of the picture, in px. */
  width: number
  height: number
}

/** The marks over a photo, each in an element with its index, as the conversion will draw them. */
export const MarksDrawing = ({ marks, chosen, width, height }: Props) =>
  inDrawingOrder([...marks.entries()], ([, mark]) => mark).map(([index, mark]) => (
    <g
      key={index}
      data-mark={index}
      className={`mark mark-${mark.kind}${index === chosen ? ' is-chosen' : ''}`}
    >
      <Shape mark={mark} width={width} height={height} />
    </g>
  ))

function Shape({ mark, width, height }: { mark: Mark; width: number; height: number }) {
  const stroke = strokeOf(width, height)
  if (mark.kind === 'arrow') {
    const { from, to } = mark
    const outline = arrowOutline([from.x * width, from.y * height], [to.x * width, to.y * height], stroke)
    return <polygon points={outline.map((corner) => corner.join()).join(' ')} strokeWidth={stroke * 0.7} />
  }
  if (mark.kind === 'text') return <Label mark={mark} width={width} height={height} />
  const { left, top, width: wide, height: high } = mark.box
  if (mark.kind === 'cover')
    return <rect x={left * width} y={top * height} width={wide * width} height={high * height} />
  return (
    <ellipse
      cx={(left + wide / 2) * width}
      cy={(top + high / 2) * height}
      rx={(wide * width) / 2}
      ry={(high * height) / 2}
      strokeWidth={stroke}
    />
  )
}

/** Above and below the letters, as a share of their size. */
const ABOVE = 0.5

/** White letters on a box, which is as wide as they are in this browser, and stays within the photo. */
function Label({ mark, width, height }: { mark: Mark & { kind: 'text' }; width: number; height: number }) {
  const letters = useRef<SVGTextElement>(null)
  const [count, setCount] = useState(0)
  const size = letterOf(width, height, count)
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the text or the picture is another
  useLayoutEffect(
    () => setCount((letters.current?.getComputedTextLength() ?? 0) / size),
    [mark.text, width, height],
  )
  const [wide, high] = [(count + 2 * LABEL_BESIDE) * size, (1 + ABOVE) * size]
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value))
  const left = within(mark.at.x * width - wide / 2, width - wide)
  const top = within(mark.at.y * height - high / 2, height - high)
  return (
    <>
      <rect x={left} y={top} width={wide} height={high} />
      <text
        ref={letters}
        x={left + wide / 2}
        y={top + high / 2}
        fontSize={size}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {mark.text}
      </text>
    </>
  )
}
