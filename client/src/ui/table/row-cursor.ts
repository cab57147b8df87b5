import { createContext, use } from 'react'

/** Whether the surrounding row has the table's cursor; true outside a table. */
export const IsCurrentRow = createContext(true)

/**
 * tabIndex of a row's own buttons: reachable by Tab only in the cursor's row, or each list would have a
 * hundred tab stops.
 */
export const useRowTabIndex = () => (use(IsCurrentRow) ? 0 : -1)
