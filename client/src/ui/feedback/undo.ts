interface Offer {
  notice: string
  act: () => void
}
let offers: readonly Offer[] = []

/** A notice offers to undo something, as long as it is on the screen. */
export const offerUndo = (notice: string, act: () => void) => {
  offers = [...offers, { notice, act }]
}
export const withdrawUndo = (notice: string) => {
  offers = offers.filter((one) => one.notice !== notice)
}
export const canUndo = () => offers.length > 0
/** The keyboard's way to the newest «Desfazer», which stands in the corner, outside of every dialog. */
export const undoLast = () => offers.at(-1)?.act()
