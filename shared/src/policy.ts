import { CONFIRM_NEEDED, FACTOR_NEEDED, PASSKEY_NEEDED } from './auth/second-factor.ts'
import { AppError, forbidden } from './errors.ts'
import type { OrderStatus } from './orders/status.ts'
import { TOKEN_SCOPES, type TokenScope } from './tokens/scope.ts'
import type { Role } from './users/role.ts'

/** Companies whose rows a person may see: all, or the ids of their own tree (D-39). */
export type Scope = 'all' | readonly number[]

export interface Person {
  kind: 'user'
  id: number
  name: string
  role: Role
  is_superuser: boolean
  company_id: number | null
  scope: Scope
  /** Set when the request was authenticated by an API token of this scope. */
  token_scope?: TokenScope
  /** Set when this session was confirmed more than ten minutes ago. */
  must_confirm?: true
  /** Set when a password alone opened the session of somebody who needs a second factor. */
  must_add_factor?: true
  /** Set beside `must_add_factor` when they have one: a passkey, which was not given. */
  has_passkey?: true
  /** Set when somebody without an account calls by a link that this person has made: it allows photos alone. */
  guest_link?: { id: number; label: string }
}
/** The link by which somebody without an account calls, with the person who made it; undefined for all others. */
export const guestLinkOf = (actor: Actor) =>
  actor.kind === 'user' && actor.guest_link ? { ...actor.guest_link, made_by: actor.id } : undefined

export type Actor = Person | { kind: 'anonymous' } | { kind: 'system' }

/** The columns of an order that decide whether it is a technician's own (D-16). */
export interface OwnedOrder {
  company_id: number
  created_by: number | null
  technician_user_id: number | null
}

const isAdmin = (actor: Actor) =>
  actor.kind === 'system' || (actor.kind === 'user' && (actor.is_superuser || actor.role === 'admin'))
const sees = (actor: Actor, company_id: number) =>
  actor.kind === 'system' ||
  (actor.kind === 'user' && (actor.scope === 'all' || actor.scope.includes(company_id)))
const isSignedIn = (actor: Actor) => actor.kind !== 'anonymous'

/** A technician's own order: created by or assigned to them, or unassigned in their company. */
const owns = (actor: Actor, order: OwnedOrder) =>
  actor.kind === 'user' &&
  (order.created_by === actor.id ||
    order.technician_user_id === actor.id ||
    order.technician_user_id === null)

const isTechnician = (actor: Actor) =>
  actor.kind === 'user' && !actor.is_superuser && actor.role === 'technician'
const mayWork = (actor: Actor, order: OwnedOrder) =>
  sees(actor, order.company_id) && (!isTechnician(actor) || owns(actor, order))

/** «S» in D-38: every order within the actor's scope, for managers and above. */
const leadsWork = (actor: Actor, order: OwnedOrder) => sees(actor, order.company_id) && !isTechnician(actor)

/** A row of one company, without people. */
export interface OfCompany {
  company_id: number
}
/** What managers and above do with the rows of a company. */
const leadsCompany = (actor: Actor, row: OfCompany) => sees(actor, row.company_id) && !isTechnician(actor)

export interface OwnedCompany {
  id: number
  parent_id: number | null
}
export interface OwnedUser {
  id: number
  role: Role
  company_id: number | null
  manager_id: number | null
  is_superuser: boolean
}
type NewUser = Pick<OwnedUser, 'role' | 'company_id'> & { is_superuser?: boolean | undefined }

const isSuperuser = (actor: Actor) => actor.kind === 'system' || (actor.kind === 'user' && actor.is_superuser)
const isManager = (actor: Actor) => actor.kind === 'user' && actor.role === 'manager'
const isSelf = (actor: Actor, user: { id: number }) => actor.kind === 'user' && actor.id === user.id
const seesCompanyOf = (actor: Actor, user: { company_id: number | null }) =>
  user.company_id !== null && sees(actor, user.company_id)
/** A manager may change the technicians who report to them. */
const leads = (actor: Actor, user: OwnedUser) =>
  actor.kind === 'user' &&
  isManager(actor) &&
  user.role === 'technician' &&
  user.manager_id === actor.id &&
  !user.is_superuser
const managesCompany = (actor: Actor, company: OwnedCompany) => isManager(actor) && sees(actor, company.id)

/**
 * The permission table (D-38), used by the screens to hide buttons and by the services to refuse. It decides
 * who may, not when: that an order is closed is checked by rules elsewhere. A row out of scope counts as
 * missing, not as forbidden: services answer 404 before they check here.
 */
export const POLICY = {
  'account.read': isSignedIn,
  /** The own sessions and password, which asks for itself. */
  'account.secure': isSignedIn,
  /** The own login name, second factor and passkeys. */
  'account.recredential': isSignedIn,
  /** The own name, phone and the like. */
  'account.change': isSignedIn,
  'token.manage': isSignedIn,
  'token.create': isSignedIn,
  'brand.read': isSignedIn,
  'brand.initialize': isAdmin,
  'brand.change': isAdmin,
  'company.read': isSignedIn,
  'company.open': isAdmin,
  'company.change': (actor: Actor, company: OwnedCompany) => isAdmin(actor) || managesCompany(actor, company),
  /** Type, CNPJ and parent determine who sees what, so only an administrator changes them. */
  'company.restructure': isAdmin,
  'company.delete': isAdmin,
  'user.list': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
  'user.read': (actor: Actor, user: OwnedUser) =>
    isSelf(actor, user) || isAdmin(actor) || (!isTechnician(actor) && seesCompanyOf(actor, user)),
  'user.open': (actor: Actor, user: NewUser) =>
    isSuperuser(actor) ||
    (isAdmin(actor) && !user.is_superuser) ||
    (isManager(actor) && user.role === 'technician' && !user.is_superuser && seesCompanyOf(actor, user)),
  /** Users cannot edit or delete themselves here (ROLE-6); only superusers change a superuser (D-40). */
  'user.change': (actor: Actor, user: OwnedUser) =>
    !isSelf(actor, user) &&
    (isSuperuser(actor) || (isAdmin(actor) && !user.is_superuser) || leads(actor, user)),
  'user.change-rights': (actor: Actor) => isAdmin(actor),
  /** Another person's password or login name, and who becomes administrator. */
  'user.recredential': (actor: Actor) => isAdmin(actor),
  'user.grant-superuser': isSuperuser,
  'user.delete': (actor: Actor, user: OwnedUser) =>
    !isSelf(actor, user) && (isSuperuser(actor) || (isAdmin(actor) && !user.is_superuser)),
  'account.leave': (actor: Actor) => actor.kind === 'user' && !actor.is_superuser,
  'mail.read': isSuperuser,
  /** The text of a mail: its links change passwords. */
  'mail.open': isSuperuser,
  'audit.read': isSuperuser,
  /** Copying the security log out of the product. */
  'audit.export': isSuperuser,
  'quota.read': isAdmin,
  'installation.read': isSuperuser,
  /** Pausing the queue, repeating a job, telling other systems. */
  'installation.operate': isSuperuser,
  /** The rights of the people whose data the orders have: who read them, export, anonymisation (LGPD). */
  'privacy.manage': isAdmin,
  /** Anonymising what legal hold or retention protects. */
  'privacy.override': isSuperuser,
  /** Who read the data of one order. */
  'order.accesses': leadsWork,
  'notification.read': isSignedIn,
  'order.list': isSignedIn,
  /** Saving and deleting the own views of the lists. */
  'view.change': isSignedIn,
  /** Lists and exports have chassis and customers' documents and phones whole; for others they are masked. */
  'customer.export': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
  /** The same in one order. */
  'customer.read': mayWork,
  'order.read': (actor: Actor, order: OwnedOrder) => sees(actor, order.company_id),
  'order.comment': (actor: Actor, order: OwnedOrder) => sees(actor, order.company_id),
  /** Legal hold: stops every deletion of an order. */
  'order.hold': (actor: Actor, order: OwnedOrder) => isAdmin(actor) && sees(actor, order.company_id),
  'order.open': (actor: Actor, order: Pick<OwnedOrder, 'company_id'>) => sees(actor, order.company_id),
  /** Opening many orders of a company from a file, with their opening dates. */
  'order.import': leadsCompany,
  'order.change': mayWork,
  /** The opening date counts for the deadline, so only a manager or above moves it (D-13). */
  'order.backdate': leadsWork,
  'order.status': mayWork,
  'order.complete': leadsWork,
  'order.cancel': leadsWork,
  'order.reopen': (actor: Actor, order: OwnedOrder) => isAdmin(actor) && sees(actor, order.company_id),
  'order.delete': (actor: Actor, order: OwnedOrder & { status: OrderStatus }) =>
    leadsWork(actor, order) && (order.status !== 'completed' || isAdmin(actor)),
  'evidence.read': (actor: Actor, order: OwnedOrder) => sees(actor, order.company_id),
  'dossier.build': (actor: Actor, order: OwnedOrder) => sees(actor, order.company_id),
  /** Packages of several orders in one file; each order is judged by `evidence.read`. */
  'package.build': isSignedIn,
  'evidence.upload': mayWork,
  /** Links by which people without an account send photos of the order. */
  'guest-link.manage': mayWork,
  /** One's own upload, also of an order that has been closed or moved since. */
  'upload.cancel': isSignedIn,
  'evidence.convert': mayWork,
  'evidence.validate': mayWork,
  'evidence.change': mayWork,
  'evidence.delete': (actor: Actor, order: OwnedOrder & { uploaded_by: number | null }) =>
    mayWork(actor, order) &&
    (!isTechnician(actor) || (actor.kind === 'user' && order.uploaded_by === actor.id)),
  'claim.list': isSignedIn,
  'claim.read': (actor: Actor, claim: OfCompany) => sees(actor, claim.company_id),
  /** Also a draft's changes. */
  'claim.open': leadsCompany,
  'claim.send': leadsCompany,
  'claim.decide': leadsCompany,
  'claim.pay': leadsCompany,
  'claim.reconcile': leadsCompany,
  'claim.withdraw': leadsCompany,
  /** Entries that correct a wrong one. */
  'claim.correct': leadsCompany,
  'claim.debit': leadsCompany,
  'claim.write-off': leadsCompany,
  /** Above the company's limit. */
  'claim.write-off-above': (actor: Actor, claim: OfCompany) =>
    isAdmin(actor) && sees(actor, claim.company_id),
  'claim.set-limit': isAdmin,
  /** Replaced parts: place, deadline, return. */
  'part.change': leadsCompany,
  /** Which visits are for one defect, and their dates, which decide about the legal deadline. */
  'visit.change': leadsCompany,
  'deadline.list': isSignedIn,
  /** The address of the own calendar, which shows deadlines to whoever has it. */
  'calendar.manage': isSignedIn,
  'remittance.list': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
  'remittance.read': leadsCompany,
  /** Importing, typing, undoing, and resolving differences. */
  'remittance.import': leadsCompany,
} satisfies Record<string, (actor: Actor, subject: never) => boolean>

type Policy = typeof POLICY
export type Action = keyof Policy
type Subject<A extends Action> = Parameters<Policy[A]> extends [Actor, infer S] ? [S] : []

/**
 * The narrowest API token that an action may be performed with; null where the person must have signed in: a
 * leaked token must not be able to create access, or take it from somebody, that outlives its revocation.
 */
const LEAST_TOKEN_SCOPE: Record<Action, TokenScope | null> = {
  'account.read': 'read',
  'account.secure': null,
  'account.recredential': null,
  'account.change': 'all',
  'account.leave': null,
  'token.manage': null,
  'token.create': null,
  'brand.read': 'read',
  'brand.initialize': 'all',
  'brand.change': 'all',
  'company.read': 'read',
  'company.open': 'all',
  'company.change': 'all',
  'company.restructure': 'all',
  'company.delete': 'all',
  'user.list': 'read',
  'user.read': 'read',
  'user.open': null,
  'user.change': null,
  'user.change-rights': null,
  'user.recredential': null,
  'user.grant-superuser': null,
  'user.delete': null,
  'mail.read': null,
  'mail.open': null,
  'audit.read': 'read',
  'audit.export': null,
  'quota.read': 'read',
  'installation.read': null,
  'installation.operate': null,
  'privacy.manage': null,
  'privacy.override': null,
  'order.accesses': 'read',
  'customer.export': 'read',
  'customer.read': 'read',
  'notification.read': null,
  'order.list': 'read',
  'view.change': 'all',
  'order.read': 'read',
  'order.comment': 'all',
  'order.hold': null,
  'order.open': 'all',
  'order.import': 'all',
  'order.change': 'all',
  'order.backdate': 'all',
  'order.status': 'all',
  'order.complete': 'all',
  'order.cancel': 'all',
  'order.reopen': 'all',
  'order.delete': 'all',
  'evidence.read': 'read',
  'dossier.build': 'evidence',
  'package.build': 'evidence',
  'evidence.upload': 'evidence',
  'guest-link.manage': null,
  'upload.cancel': 'evidence',
  'evidence.convert': 'evidence',
  'evidence.validate': 'evidence',
  'evidence.change': 'evidence',
  'evidence.delete': 'evidence',
  'claim.list': 'read',
  'claim.read': 'read',
  'claim.open': 'all',
  'claim.send': 'all',
  'claim.decide': 'all',
  'claim.pay': 'all',
  'claim.reconcile': 'all',
  'claim.withdraw': 'all',
  'claim.correct': 'all',
  'claim.debit': 'all',
  'claim.write-off': 'all',
  'claim.write-off-above': 'all',
  'claim.set-limit': null,
  'part.change': 'all',
  'visit.change': 'all',
  'deadline.list': 'read',
  'calendar.manage': null,
  'remittance.list': 'read',
  'remittance.read': 'read',
  'remittance.import': 'all',
}
/** What opens or closes an account: a session found open is not enough for it. */
const NEEDS_CONFIRMATION: ReadonlySet<Action> = new Set([
  'account.recredential',
  'token.create',
  'user.recredential',
  'user.grant-superuser',
  'mail.open',
  'account.leave',
])
/** All that somebody who needs a second factor may do before having one. */
const WITHOUT_FACTOR: ReadonlySet<Action> = new Set([
  'account.read',
  'account.secure',
  'account.recredential',
])
/** The same with a passkey: giving it is allowed, and a password alone adds nothing beside it. */
const WITHOUT_PASSKEY: ReadonlySet<Action> = new Set(['account.read', 'account.secure'])

function isWithinToken(actor: Actor, action: Action) {
  if (actor.kind !== 'user' || actor.token_scope === undefined) return true
  const least = LEAST_TOKEN_SCOPE[action]
  return least !== null && TOKEN_SCOPES.indexOf(actor.token_scope) >= TOKEN_SCOPES.indexOf(least)
}

/** All that a link for photos allows, for the order it was made for. */
const BY_GUEST_LINK: ReadonlySet<Action> = new Set(['order.read', 'evidence.upload', 'upload.cancel'])
const isWithinGuestLink = (actor: Actor, action: Action) =>
  actor.kind !== 'user' || actor.guest_link === undefined || BY_GUEST_LINK.has(action)

const hasFactorFor = (actor: Actor, action: Action) =>
  actor.kind !== 'user' ||
  !actor.must_add_factor ||
  (actor.has_passkey ? WITHOUT_PASSKEY : WITHOUT_FACTOR).has(action)
const factorNeeded = (actor: Actor) =>
  forbidden(actor.kind === 'user' && actor.has_passkey ? PASSKEY_NEEDED : FACTOR_NEEDED)

/**
 * Whether the actor may perform the action on the subject, also with the API token they may have used; has no
 * side effects and never throws.
 */
export const can = <A extends Action>(actor: Actor, action: A, ...subject: Subject<A>): boolean =>
  isWithinToken(actor, action) &&
  isWithinGuestLink(actor, action) &&
  hasFactorFor(actor, action) &&
  (POLICY[action] as (actor: Actor, ...subject: unknown[]) => boolean)(actor, ...subject)

const leadsSomebody = (actor: Actor) => isAdmin(actor) || isManager(actor)
const isAboveTechnician = (actor: Actor) => isSignedIn(actor) && !isTechnician(actor)
/** What a role must at least be for an action on some subject; the others every signed-in person may perform on one. */
const LEAST_ROLE: Partial<Record<Action, (actor: Actor) => boolean>> = {
  'brand.initialize': isAdmin,
  'brand.change': isAdmin,
  'company.open': isAdmin,
  'company.change': leadsSomebody,
  'company.restructure': isAdmin,
  'company.delete': isAdmin,
  'user.list': isAboveTechnician,
  'user.open': leadsSomebody,
  'user.change': leadsSomebody,
  'user.change-rights': isAdmin,
  'user.recredential': isAdmin,
  'user.grant-superuser': isSuperuser,
  'user.delete': isAdmin,
  'mail.read': isSuperuser,
  'mail.open': isSuperuser,
  'audit.read': isSuperuser,
  'audit.export': isSuperuser,
  'quota.read': isAdmin,
  'installation.read': isSuperuser,
  'installation.operate': isSuperuser,
  'privacy.manage': isAdmin,
  'privacy.override': isSuperuser,
  'order.accesses': isAboveTechnician,
  'customer.export': isAboveTechnician,
  'order.hold': isAdmin,
  'order.import': isAboveTechnician,
  'order.backdate': isAboveTechnician,
  'order.complete': isAboveTechnician,
  'order.cancel': isAboveTechnician,
  'order.reopen': isAdmin,
  'order.delete': isAboveTechnician,
  'claim.open': isAboveTechnician,
  'claim.send': isAboveTechnician,
  'claim.decide': isAboveTechnician,
  'claim.pay': isAboveTechnician,
  'claim.reconcile': isAboveTechnician,
  'claim.withdraw': isAboveTechnician,
  'claim.correct': isAboveTechnician,
  'claim.debit': isAboveTechnician,
  'claim.write-off': isAboveTechnician,
  'claim.write-off-above': isAdmin,
  'claim.set-limit': isAdmin,
  'part.change': isAboveTechnician,
  'visit.change': isAboveTechnician,
  'remittance.list': isAboveTechnician,
  'remittance.read': isAboveTechnician,
  'remittance.import': isAboveTechnician,
}

/**
 * Throws like `authorize` when no subject exists on which the actor could perform the action: before a caller's input
 * is judged, so that it says nothing to those who have no right to call.
 */
export function authorizeSome(actor: Actor, action: Action) {
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Not authenticated')
  if (!isWithinToken(actor, action)) throw forbidden(NOT_BY_TOKEN)
  if (!hasFactorFor(actor, action)) throw factorNeeded(actor)
  if (LEAST_ROLE[action]?.(actor) === false) throw forbidden()
}

export const NOT_BY_TOKEN = 'Este token de API não permite esta ação.'

/**
 * Throws 401 («unauthenticated») for an anonymous caller, and 403 when the actor may not perform the action, with
 * a reason of its own when only the API token forbids it, or when a second factor or the password is asked for.
 */
export function authorize<A extends Action>(actor: Actor, action: A, ...subject: Subject<A>) {
  if (actor.kind === 'anonymous') throw new AppError('unauthenticated', 'Not authenticated')
  if (!isWithinToken(actor, action)) throw forbidden(NOT_BY_TOKEN)
  if (!hasFactorFor(actor, action)) throw factorNeeded(actor)
  if (!can(actor, action, ...subject)) throw forbidden()
  if (actor.kind === 'user' && actor.must_confirm && NEEDS_CONFIRMATION.has(action))
    throw forbidden(CONFIRM_NEEDED)
}
