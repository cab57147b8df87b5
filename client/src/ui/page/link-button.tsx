import { AnchorButton } from '@blueprintjs/core'
import { createLink } from '@tanstack/react-router'

/** A router link styled as a button. */
export const LinkButton = createLink(AnchorButton)
