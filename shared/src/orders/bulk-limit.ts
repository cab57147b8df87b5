/** Most orders in one bulk action, or in an export by selection. */
export const BULK_MAX = 500
