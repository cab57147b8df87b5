export { convertMany, runBulkAction } from './bulk.ts'
export { markPhoto, rotatePhoto } from './change-photo.ts'
export { failConversion, finishConversion } from './complete.ts'
export {
  failStranded,
  INTERRUPTED,
  leaseConversion,
  reportProgress,
  reserveBudget,
  unmeasuredVideos,
} from './lease.ts'
export type { ConversionLease } from './leased-file.ts'
export { failedFiles, type QueuedJob, queuedJobs } from './queries.ts'
export { isQueuePaused, pauseQueue, resumeQueue, retryJob } from './queue.ts'
export { readConversionReport, readConversionState } from './report.ts'
export { convertUploads, requestAllConversions, requestConversion, retryFailed } from './request.ts'
