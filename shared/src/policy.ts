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
  /** How often all access of this person was ended; signed addresses name it. */
  access_epoch?: number
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

/** Somebody who signed up and has not been assigned to a company yet: sees nothing and can open nothing (D-34). */
export const hasNoCompany = (actor: Actor) =>
  actor.kind === 'user' && actor.scope !== 'all' && actor.scope.length === 0

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
const changesUser = (actor: Actor, user: OwnedUser) =>
  !isSelf(actor, user) && (isSuperuser(actor) || (isAdmin(actor) && !user.is_superuser) || leads(actor, user))
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
  'user.change': changesUser,
  /** Letting somebody in: who was deactivated, or waits for approval. */
  'user.reactivate': changesUser,
  'user.change-rights': (actor: Actor) => isAdmin(actor),
  /** Another person's password or login name, a higher role, another company, and the end of all their access. */
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
  /** Pausing the queue, repeating a job or a message to another system. */
  'installation.operate': isSuperuser,
  /** An address that is told of everything from now on. */
  'webhook.open': isSuperuser,
  /** The rights of the people whose data the orders have: who read them, register, incidents (LGPD). */
  'privacy.manage': isAdmin,
  /** Everything the house has of a person, as one file. */
  'privacy.export': isAdmin,
  'privacy.anonymise': isAdmin,
  /** Anonymising what legal hold or retention protects, and every night. */
  'privacy.override': isSuperuser,
  /** Who read the data of one order. */
  'order.accesses': leadsWork,
  'notification.read': isSignedIn,
  'order.list': isSignedIn,
  /** Saving and deleting the own views of the lists. */
  'view.change': isSignedIn,
  /** Lists and exports have chassis and customers' documents and phones whole; for others they are masked. */
  'customer.export': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
  /** Documents and phones of many customers, whole, as one file. */
  'customer.bulk-export': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
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
  /** Whether the own calendar has an address, and its end. */
  'calendar.manage': isSignedIn,
  /** The address of the own calendar, which shows deadlines to whoever has it. */
  'calendar.open': isSignedIn,
  'remittance.list': (actor: Actor) => isSignedIn(actor) && !isTechnician(actor),
  'remittance.read': leadsCompany,
  /** Importing, typing, undoing, and resolving differences. */
  'remittance.import': leadsCompany,
} satisfies Record<string, (actor: Actor, subject: never) => boolean>

type Policy = typeof POLICY
export type Action = keyof Policy
type Subject<A extends Action> = Parameters<Policy[A]> extends [Actor, infer S] ? [S] : []

/** What an action does that nobody may do with a session that they found open, nor with an API token that leaked. */
const GRAVE = ['opens-access', 'takes-data-out', 'irrevocable'] as const
type Grave = (typeof GRAVE)[number]

/**
 * The least proof of who calls: the narrowest API token, `sign-in` where no token will do, or what makes the action
 * ask for a sign-in of the last CONFIRMED_MINUTES. `opens-access`: somebody gets in, or sees more, and goes on doing so
 * when this session has ended. `takes-data-out`: personal data of many people leave, or of one person all. `irrevocable`:
 * nobody can undo it, the operator neither.
 */
export const LEAST_PROOF = {
  'account.read': 'read',
  'account.secure': 'sign-in',
  'account.recredential': 'opens-access',
  'account.change': 'all',
  'token.manage': 'sign-in',
  'token.create': 'opens-access',
  'brand.read': 'read',
  'brand.initialize': 'all',
  'brand.change': 'all',
  'company.read': 'read',
  'company.open': 'all',
  'company.change': 'all',
  'company.restructure': 'opens-access',
  'company.delete': 'irrevocable',
  'user.list': 'read',
  'user.read': 'read',
  'user.open': 'opens-access',
  'user.change': 'sign-in',
  'user.reactivate': 'opens-access',
  'user.change-rights': 'sign-in',
  'user.recredential': 'opens-access',
  'user.grant-superuser': 'opens-access',
  'user.delete': 'irrevocable',
  'account.leave': 'irrevocable',
  'mail.read': 'sign-in',
  'mail.open': 'opens-access',
  'audit.read': 'read',
  'audit.export': 'takes-data-out',
  'quota.read': 'read',
  'installation.read': 'sign-in',
  'installation.operate': 'sign-in',
  'webhook.open': 'takes-data-out',
  'privacy.manage': 'sign-in',
  'privacy.export': 'takes-data-out',
  'privacy.anonymise': 'irrevocable',
  'privacy.override': 'irrevocable',
  'order.accesses': 'read',
  'notification.read': 'sign-in',
  'order.list': 'read',
  'view.change': 'all',
  'customer.export': 'read',
  'customer.bulk-export': 'takes-data-out',
  'customer.read': 'read',
  'order.read': 'read',
  'order.comment': 'all',
  'order.hold': 'sign-in',
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
  'guest-link.manage': 'sign-in',
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
  'claim.set-limit': 'sign-in',
  'part.change': 'all',
  'visit.change': 'all',
  'deadline.list': 'read',
  'calendar.manage': 'sign-in',
  'calendar.open': 'opens-access',
  'remittance.list': 'read',
  'remittance.read': 'read',
  'remittance.import': 'all',
} as const satisfies Record<Action, TokenScope | 'sign-in' | Grave>

type Proofs = typeof LEAST_PROOF
/** Actions that ask for a recent sign-in. */
export type GraveAction = { [A in Action]: Proofs[A] extends Grave ? A : never }[Action]
const isGrave = (action: Action) => (GRAVE as readonly string[]).includes(LEAST_PROOF[action])

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
  const least = TOKEN_SCOPES.indexOf(LEAST_PROOF[action] as TokenScope)
  return least >= 0 && TOKEN_SCOPES.indexOf(actor.token_scope) >= least
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
  'user.reactivate': leadsSomebody,
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
  'webhook.open': isSuperuser,
  'privacy.manage': isAdmin,
  'privacy.export': isAdmin,
  'privacy.anonymise': isAdmin,
  'privacy.override': isSuperuser,
  'order.accesses': isAboveTechnician,
  'customer.export': isAboveTechnician,
  'customer.bulk-export': isAboveTechnician,
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
  if (actor.kind === 'user' && actor.must_confirm && isGrave(action)) throw forbidden(CONFIRM_NEEDED)
}
