import {
  boxBetween,
  lengthOf,
  MARKS_MAX,
  type Mark,
  type MarkKind,
  type Point,
} from '@garantia/shared/evidence/marks'

/** What is drawn so far, on the photo as it is shown, and what was drawn before each step. */
export interface MarksState {
  marks: readonly Mark[]
  /** Index of the mark that keys act on. */
  chosen: number | null
  before: readonly (readonly Mark[])[]
}

type Action =
  | { do: 'add'; mark: Mark }
  | { do: 'choose'; index: number | null }
  | { do: 'change'; index: number; mark: Mark }
  | { do: 'remove'; index: number }
  | { do: 'join'; marks: readonly Mark[] }
  | { do: 'undo' }

export const startOf = (marks: readonly Mark[]): MarksState => ({ marks, chosen: null, before: [] })

export function marksAfter(state: MarksState, action: Action): MarksState {
  const { marks, before } = state
  const next = (changed: readonly Mark[], chosen: number | null): MarksState => ({
    marks: changed,
    chosen,
    before: [...before, marks],
  })
  switch (action.do) {
    case 'add':
      return marks.length < MARKS_MAX ? next([...marks, action.mark], marks.length) : state
    case 'choose':
      return { ...state, chosen: action.index }
    case 'change':
      return next(marks.with(action.index, action.mark), action.index)
    case 'remove': {
      const left = marks.toSpliced(action.index, 1)
      return next(left, left.length === 0 ? null : Math.min(action.index, left.length - 1))
    }
    case 'join':
      return next(action.marks, null)
    case 'undo': {
      const last = before.at(-1)
      return last ? { marks: last, chosen: null, before: before.slice(0, -1) } : state
    }
  }
}

/** Steps of a key, and what a finger or a mouse moves at least to draw, as shares of a side. */
const STEP = 0.01
const LEAST = 0.01
const within = (value: number, most = 1) => Math.min(most, Math.max(0, value))

/** The mark that a pointer has drawn from one place to another; null when that was only a press, where that is none. */
export function drawnMark(kind: MarkKind, from: Point, to: Point, text: string): Mark | null {
  if (kind === 'text') return text === '' ? null : { kind, at: to, text }
  const isPress = Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) < LEAST
  if (kind === 'arrow') return isPress ? null : { kind, from, to }
  const box = boxBetween(from, to)
  return Math.min(box.width, box.height) < LEAST ? null : { kind, box }
}

/** A mark in the middle of the photo, for whoever draws by keyboard. */
export const markInMiddle = (kind: MarkKind, text: string) =>
  drawnMark(kind, { x: 0.4, y: 0.4 }, kind === 'text' ? { x: 0.5, y: 0.5 } : { x: 0.6, y: 0.6 }, text)

/** The mark moved by so much, as far as the photo goes. */
export function movedMark(mark: Mark, x: number, y: number): Mark {
  if (mark.kind === 'text') return { ...mark, at: { x: within(mark.at.x + x), y: within(mark.at.y + y) } }
  if (mark.kind === 'arrow') {
    const { from, to } = mark
    const byX = within(Math.min(from.x, to.x) + x, 1 - Math.abs(from.x - to.x)) - Math.min(from.x, to.x)
    const byY = within(Math.min(from.y, to.y) + y, 1 - Math.abs(from.y - to.y)) - Math.min(from.y, to.y)
    return {
      ...mark,
      from: { x: from.x + byX, y: from.y + byY },
      to: { x: to.x + byX, y: to.y + byY },
    }
  }
  const { box } = mark
  return {
    ...mark,
    box: { ...box, left: within(box.left + x, 1 - box.width), top: within(box.top + y, 1 - box.height) },
  }
}

/** The mark with its end, or its lower right corner, moved by so much; a text has none. */
export function resizedMark(mark: Mark, x: number, y: number): Mark {
  if (mark.kind === 'text') return mark
  if (mark.kind === 'arrow') {
    const to = { x: within(mark.to.x + x), y: within(mark.to.y + y) }
    return lengthOf(mark.from, to) < LEAST ? mark : { ...mark, to }
  }
  const { box } = mark
  const size = (now: number, more: number, start: number) => Math.max(LEAST, within(now + more, 1 - start))
  return {
    ...mark,
    box: { ...box, width: size(box.width, x, box.left), height: size(box.height, y, box.top) },
  }
}

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}
/** What an arrow key makes of a mark: moved, and with shift resized; null for other keys. */
export function markAfterKey(mark: Mark, { key, shiftKey }: { key: string; shiftKey: boolean }): Mark | null {
  const step = ARROWS[key]
  return step ? (shiftKey ? resizedMark : movedMark)(mark, ...step) : null
}

/** Five digits are less than a pixel. */
const rounded = (value: number) => Math.round(value * 1e5) / 1e5
const roundedPoint = ({ x, y }: Point) => ({ x: rounded(x), y: rounded(y) })
/** The mark as it is sent: with short numbers. A box is rounded by its corners, so that none leaves the photo. */
export function roundedMark(mark: Mark): Mark {
  if (mark.kind === 'arrow') return { ...mark, from: roundedPoint(mark.from), to: roundedPoint(mark.to) }
  if (mark.kind === 'text') return { ...mark, at: roundedPoint(mark.at) }
  const { left, top, width, height } = mark.box
  const {
    left: x,
    top: y,
    ...size
  } = boxBetween(roundedPoint({ x: left, y: top }), roundedPoint({ x: left + width, y: top + height }))
  return { ...mark, box: { left: x, top: y, width: rounded(size.width), height: rounded(size.height) } }
}

/**
 * What two people have drawn at the same time: what the other one has now, without what was removed here, and with what
 * was drawn or changed here.
 */
export function joinedMarks(seen: readonly Mark[], mine: readonly Mark[], theirs: readonly Mark[]): Mark[] {
  const keyOf = (mark: Mark) => JSON.stringify(roundedMark(mark))
  const keysOf = (marks: readonly Mark[]) => new Set(marks.map(keyOf))
  const [before, now, others] = [keysOf(seen), keysOf(mine), keysOf(theirs)]
  return [
    ...theirs.filter((mark) => now.has(keyOf(mark)) || !before.has(keyOf(mark))),
    ...mine.filter((mark) => !before.has(keyOf(mark)) && !others.has(keyOf(mark))),
  ].slice(0, MARKS_MAX)
}
