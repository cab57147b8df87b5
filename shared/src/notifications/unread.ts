/** Unread notifications are counted up to here; beyond it the number says no more. */
export const UNREAD_MAX = 99
