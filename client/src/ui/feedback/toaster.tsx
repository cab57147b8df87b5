import { Button, OverlayToaster, type Toaster } from '@blueprintjs/core'
import { CrossIcon, ErrorIcon, InfoSignIcon, TickCircleIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactElement, ReactNode } from 'react'
import { useKeyHint } from '../keys/key-hint.ts'
import { offerUndo, withdrawUndo } from './undo.ts'

type Kind = 'success' | 'warning' | 'info' | 'error'
interface Content {
  title: string
  description?: ReactNode
  /** Reverts the action, by «Desfazer» or Ctrl+Z, while the toast is shown. */
  onUndo?: () => void
  /** What may be done about it: the toast stays until that, or until it is closed. */
  action?: { text: string; act: () => void }
}

/** Timeouts in ms: success 5 s, warning 3 s (GEN-9, GEN-10). */
const STYLE: Record<Kind, { timeout: number; icon: ReactElement }> = {
  success: { timeout: 5_000, icon: <TickCircleIcon /> },
  warning: { timeout: 3_000, icon: <WarningSignIcon /> },
  info: { timeout: 4_000, icon: <InfoSignIcon /> },
  error: { timeout: 5_000, icon: <ErrorIcon /> },
}

let created: Promise<Toaster> | undefined
const toaster = () => {
  created ??= OverlayToaster.create({
    position: 'bottom-right',
    maxToasts: 4,
    // A permanent hidden child keeps the live region in the document.
    children: <span key="first" hidden />,
  })
  return created
}
/** Least size of the corner in which toasts appear, in pixels: what is about to appear has no size yet. */
const CORNER = { width: 460, height: 150 }
const MARGIN = 24
const SUBJECT = '[data-row], [data-card], .row-card'
/**
 * Toasts move to the top while they would cover what they speak of: what has the focus, with its row or card.
 */
function placeToasts() {
  const focused = document.activeElement
  const place = (focused?.closest(SUBJECT) ?? focused)?.getBoundingClientRect()
  // The tray of uploads lifts them.
  const bottom = document.querySelector('.upload-tray')?.getBoundingClientRect().top ?? window.innerHeight
  const isCovered =
    focused !== document.body &&
    place !== undefined &&
    place.height < window.innerHeight / 2 &&
    place.right > window.innerWidth - CORNER.width &&
    place.bottom > bottom - Math.max(CORNER.height, heightOfToasts() + MARGIN) &&
    place.top < bottom
  document.documentElement.toggleAttribute('data-toasts-on-top', isCovered)
}
function heightOfToasts() {
  const boxes = [...document.querySelectorAll('.toast')].map((one) => one.getBoundingClientRect())
  return boxes.length > 0
    ? Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top))
    : 0
}

/**
 * Creates the live region before the first toast: screen readers only announce changes in a region they
 * already know.
 */
export function preloadToaster() {
  void toaster()
  for (const moved of ['focusin', 'scroll', 'resize'])
    window.addEventListener(moved, placeAgain, { capture: true, passive: true })
}
function placeAgain() {
  if (document.querySelector('.toast') && !document.activeElement?.closest('.toast')) placeToasts()
}
let count = 0

const show = (kind: Kind) => (content: Content) =>
  void toaster().then((toasts) => {
    const key = `toast-${++count}`
    let isUndone = false
    const undo = () => {
      if (isUndone) return
      isUndone = true
      toasts.dismiss(key)
      content.onUndo?.()
    }
    if (content.onUndo) offerUndo(key, undo)
    placeToasts()
    toasts.show(
      {
        className: `toast toast-${kind}`,
        icon: STYLE[kind].icon,
        timeout: content.action ? 0 : STYLE[kind].timeout,
        // Blueprint's own close button is labelled in English.
        isCloseButtonShown: false,
        onDismiss: () => withdrawUndo(key),
        message: (
          <span className="toast-body">
            <span className="toast-content">
              <strong>{content.title}</strong>
              {content.description && <span className="toast-text">{content.description}</span>}
            </span>
            {content.onUndo && <UndoButton onUndo={undo} />}
            {content.action && (
              <Button
                variant="outlined"
                size="small"
                text={content.action.text}
                onClick={content.action.act}
              />
            )}
            <Button
              variant="minimal"
              size="small"
              icon={<CrossIcon />}
              aria-label="Fechar"
              onClick={() => toasts.dismiss(key)}
            />
          </span>
        ),
      },
      key,
    )
    requestAnimationFrame(placeAgain)
  })

function UndoButton({ onUndo }: { onUndo: () => void }) {
  const hint = useKeyHint()
  return (
    <Button variant="outlined" size="small" text="Desfazer" {...hint('Desfazer', 'mod+z')} onClick={onUndo} />
  )
}

/** Shows a toast; at most four are visible at a time. */
export const toast = {
  success: show('success'),
  warning: show('warning'),
  info: show('info'),
  error: show('error'),
}
