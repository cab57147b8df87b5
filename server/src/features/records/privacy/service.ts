export { readAccesses } from './access-log.ts'
export { anonymise, failRequest, failStrandedRequests } from './anonymise.ts'
export { findSubject, listRequests, requestAnonymisation } from './requests.ts'
