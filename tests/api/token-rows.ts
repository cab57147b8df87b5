import type { TokenScope } from '@garantia/shared/tokens/scope'

/**
 * The narrowest API token for each row of the matrix; `sign-in` where none will do, null where a token neither
 * helps nor harms: public calls, and bulk calls, which refuse order by order.
 */
type Least = TokenScope | 'sign-in' | null

const each = (least: Least, names: string) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s*\n\s*/)
      .map((name) => [name, least]),
  )

export const LEAST_TOKEN: Record<string, Least> = {
  ...each(
    null,
    `GET /utils/health-check
    GET /openapi.json
    GET /dossier-keys
    GET /calendar/{id}
    GET /guest
    GET /guest/files/{id}/thumbnail
    POST /guest/uploads
    HEAD /guest/uploads/{id}
    PATCH /guest/uploads/{id}
    DELETE /guest/uploads/{id}
    dossier.confirm
    auth.login
    auth.logout
    auth.signUp
    auth.recover
    auth.reset
    auth.ways
    account.undoLogin
    passkeys.ask
    passkeys.signIn
    directory.redeem
    orderList.setStatus
    orderList.resume
    orderList.assign
    orderList.remove
    conversion.convertMany`,
  ),
  ...each(
    'sign-in',
    `POST /password-recovery-html-content/{email}
    GET /security-log/export
    GET /service-orders/export
    companies.remove
    notifications.list
    notifications.unread
    notifications.markRead
    notifications.digest
    notifications.chooseDigest
    notifications.chooseDeadlineMail
    deadlines.calendar
    deadlines.newCalendar
    deadlines.revokeCalendar
    mail.list
    mail.one
    installation.findings
    installation.queue
    installation.pause
    installation.resume
    installation.retry
    webhooks.list
    guestLinks.list
    guestLinks.make
    guestLinks.revoke
    webhooks.create
    webhooks.remove
    webhooks.messages
    webhooks.resend
    account.changePassword
    account.leave
    account.sessions
    account.closeSession
    account.confirm
    account.endAccess
    account.factors
    account.beginTotp
    account.confirmTotp
    account.renewRecoveryCodes
    account.removeTotp
    passkeys.begin
    passkeys.add
    passkeys.remove
    passkeys.confirm
    privacy.accesses
    privacy.find
    privacy.requests
    privacy.export
    privacy.address
    privacy.anonymise
    compliance.register
    compliance.saveRegister
    compliance.incidents
    compliance.openIncident
    compliance.changeIncident
    compliance.customerRetention
    compliance.setCustomerRetention
    compliance.switchCustomerRetention
    tokens.list
    tokens.open
    tokens.revoke
    users.open
    users.change
    users.remove
    users.removeFactors
    retention.hold
    retention.release`,
  ),
  ...each(
    'read',
    `orders.one
    orders.history
    GET /service-orders/{id}/allowed-transitions
    orders.technicians
    orders.earlier
    orders.nextNumber
    orderImports.invoice
    orders.assignees
    evidence.list
    GET /evidence/{id}/download-all
    conversion.report
    evidence.checklist
    evidence.one
    conversion.status
    GET /evidence/{id}/download
    packages.list
    GET /service-orders/packages/{id}/download
    claimList.page
    GET /claims/export
    claims.ofOrder
    claims.one
    claims.difference
    deadlines.legalClock
    deadlines.page
    deadlines.counts
    parts.ofClaim
    claimReports.receivable
    claimReports.answers
    reasons.proposals
    remittances.page
    remittances.one
    remittances.differences
    dossier.list
    GET /service-orders/{id}/dossier/{id}/download
    retention.holdOf
    live.address
    orderList.around
    orderList.related
    comments.list
    comments.people
    orders.reveal
    orders.sheet
    audit.list
    audit.security
    quota.usage
    quota.brands
    account.me
    users.list
    users.managers
    users.one
    companies.list
    GET /companies/paginated
    companies.active
    companies.one
    brands.list
    brands.one
    brands.companies
    brands.evidenceRules
    orderList.page
    orderList.workload
    orderList.recordPrint
    orderList.find
    orderList.readable
    savedViews.list
    dashboard.metrics
    dashboard.recent
    dashboard.attention
    reports.monthly
    GET /service-orders/reports/monthly/export
    demo.read
    firstSteps.read
    installation.problems
    HEAD /uploads/{id}`,
  ),
  ...each(
    'evidence',
    `POST /evidence/{id}/upload
    conversion.convertAll
    conversion.convert
    conversion.mark
    conversion.turn
    evidence.validate
    evidence.issueNonces
    evidence.change
    evidence.changeMany
    evidence.remove
    evidence.restore
    packages.request
    dossier.build
    POST /uploads
    PATCH /uploads/{id}
    DELETE /uploads/{id}`,
  ),
  ...each(
    'all',
    `orders.open
    vehiclePhotos.send
    vehiclePhotos.one
    claims.open
    claims.appeal
    claims.change
    claims.submit
    claims.decide
    claims.correctDecision
    claims.withdraw
    claims.resendMail
    deadlines.link
    deadlines.unlink
    deadlines.refuse
    deadlines.changeVisit
    deadlines.addFact
    parts.change
    claimList.submitMany
    claimList.decideMany
    claims.creditNote
    claims.pay
    claims.debit
    claims.writeOff
    claims.correctEntry
    claims.reconcile
    POST /remittances
    remittances.type
    remittances.checkTyped
    remittances.check
    remittances.run
    remittances.undo
    remittances.resolve
    comments.add
    orders.change
    orders.setStatus
    orders.remove
    account.change
    companies.open
    companies.change
    companies.removeLogo
    POST /companies/{id}/logo
    brands.change
    POST /service-orders/imports
    GET /service-orders/imports/{id}/report
    orderImports.one
    orderImports.check
    orderImports.run
    brands.open
    brands.import
    brands.use
    brands.initialize
    savedViews.save
    savedViews.remove`,
  ),
}
