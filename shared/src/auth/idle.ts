/** Sent with the calls of a page that nobody has touched for a while: they do not extend the session. */
export const IDLE_HEADER = 'x-idle'
export const IDLE_MINUTES = 5
