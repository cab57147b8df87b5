/**
 * What is due within so many days is told before it is: in the daily mail and on the dashboard, whose first script has
 * none of the other rules.
 */
export const SOON_DAYS = 7

/** Divisions of what is to be received, by the days since the sending; the last has no end. */
export const AGE_BUCKETS = [
  { from: 0, until: 15, label: '0–15 dias' },
  { from: 16, until: 30, label: '16–30 dias' },
  { from: 31, until: 60, label: '31–60 dias' },
  { from: 61, until: null, label: 'Mais de 60 dias' },
] as const
export const ageBucketOf = (days: number) =>
  AGE_BUCKETS.findIndex(({ until }) => until === null || days <= until)
