import { createContext, use } from 'react'

/** Whether the row around it has the table's cursor; outside a table everything has. */
export const IsCurrentRow = createContext(true)

/** A row's own buttons are reached by Tab from the row with the cursor, or each list would be a hundred stops. */
export const useRowTabIndex = () => (use(IsCurrentRow) ? 0 : -1)
