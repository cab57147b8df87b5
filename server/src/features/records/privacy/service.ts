export { readAccesses } from './access-log.ts'
export { anonymise } from './anonymise.ts'
export {
  beginExport,
  exportAddress,
  finishExport,
  keptExports,
  openSignedExport,
  removeOldExports,
  requestExport,
} from './export.ts'
export { failRequest, failStrandedRequests } from './fail-request.ts'
export { findSubject, listRequests, requestAnonymisation } from './requests.ts'
export { applyCustomerRetention } from './retention-run.ts'
export { ordersOf } from './subject.ts'
export {
  openSubjectArchive,
  recordExport,
  type SubjectArchive,
  type SubjectCover,
} from './subject-archive.ts'
