interface Offer {
  notice: string
  act: () => void
}
let offers: readonly Offer[] = []

/** Registers the undo action of a toast while the toast is shown. */
export const offerUndo = (notice: string, act: () => void) => {
  offers = [...offers, { notice, act }]
}
/** Removes the undo action of a dismissed toast. */
export const withdrawUndo = (notice: string) => {
  offers = offers.filter((one) => one.notice !== notice)
}
export const canUndo = () => offers.length > 0
/** Keyboard access to the newest «Desfazer», as the toast is outside of every dialog. */
export const undoLast = () => offers.at(-1)?.act()
