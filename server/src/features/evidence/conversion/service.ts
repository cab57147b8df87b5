export { actOnMany, convertMany } from './bulk.ts'
export { failConversion, finishConversion } from './complete.ts'
export {
  claimConversion,
  failStranded,
  INTERRUPTED,
  reportProgress,
  reserveBudget,
  unmeasuredFilms,
} from './lease.ts'
export type { Claim } from './lease-facts.ts'
export { type QueuedJob, queuedJobs } from './queries.ts'
export { readConversionReport, readConversionState } from './report.ts'
export { convertUploads, requestAll, requestConversion, retryFailed } from './request.ts'
export { turnPhoto } from './turning.ts'
