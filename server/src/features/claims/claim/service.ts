export { lockedClaim, visibleClaim } from './access.ts'
export { correctDecision, decideClaim } from './deciding.ts'
export { differenceSince } from './difference.ts'
export { noteDue, noteDueOfBrand, noteDueOfOrder, noteDues } from './due.ts'
export { noteGivenUpMails, noteMailFailed, resendMail } from './failed-mail.ts'
export { openSentDossier } from './mailing.ts'
export { appealClaim, changeClaim, openClaim } from './opening.ts'
export { presentRow } from './present.ts'
export {
  type Claim,
  type ClaimLine,
  claimDays,
  contestedOf,
  isDelta,
  isOfSums,
  type ListedClaim,
  linesOf,
  listedClaims,
  visibleClaims,
} from './queries.ts'
export { claimsOfOrder, readClaim } from './reading.ts'
export { submitClaim } from './sending.ts'
export { writeStep } from './step.ts'
export { withdrawClaim } from './withdrawal.ts'
