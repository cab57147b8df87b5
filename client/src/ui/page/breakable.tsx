import { Fragment } from 'react'

/** A file name or an email that may break after each of its parts; its ending stays with the last one. */
export const breakable = (text: string) =>
  text.split(/(?<=[_@.-])(?!\w{1,4}$)/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
