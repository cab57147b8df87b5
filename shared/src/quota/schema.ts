/** Bytes or requests used, and how many are allowed; null without a limit. */
export interface Quota {
  used: number
  limit: number | null
}

/** What is used of the room for files, and the limits of persons and companies. Sizes in bytes. */
export interface QuotaUsage {
  disk: {
    free: number
    /** Kept free for the database, copies and dossiers. */
    reserve: number
    /** Announced by all open uploads, not yet received. */
    announced: number
    /** What the next upload may announce. */
    room: number
  }
  own: {
    /** Announced by the caller's open uploads. */
    open: Quota
    /** Sent by the caller within a day, with what is announced. */
    day: Quota
    /** Dossiers that the caller requested within the current hour. */
    dossiers: Quota
  }
  /** Largest first; what they keep, with what is announced for them. */
  companies: { id: number; trading_name: string; kept: Quota }[]
  /** All companies in the caller's scope, also those that the list leaves out. */
  company_count: number
}

/** Bytes that the files of a brand's orders keep in the companies in scope, also those in the bin. */
export interface BrandUsage {
  slug: string
  display_name: string
  /** Orders that keep any. */
  orders: number
  originals: number
  copies: number
}

/** Companies that the usage lists at most. */
export const MOST_COMPANIES = 100

/** Whether a used share should be noticed: four fifths. */
export const isNearLimit = ({ used, limit }: Quota) => limit !== null && used >= limit * 0.8
