import { describe, expect, test } from 'vitest'
import { CONFIRM_NEEDED } from './auth/second-factor.ts'
import {
  type Action,
  type Actor,
  authorize,
  authorizeSome,
  can,
  hasNoCompany,
  LEAST_PROOF,
  type OwnedUser,
  type Person,
  POLICY,
} from './policy.ts'
import { TOKEN_SCOPES } from './tokens/scope.ts'

const person = (fields: Partial<Person>): Person => ({
  kind: 'user',
  id: 1,
  name: 'Pessoa',
  role: 'technician',
  is_superuser: false,
  company_id: 10,
  scope: [10],
  ...fields,
})
const ACTORS: Record<string, Actor> = {
  anonymous: { kind: 'anonymous' },
  lost: person({ company_id: null, scope: [] }),
  technician: person({}),
  manager: person({ role: 'manager', scope: [10, 11] }),
  admin: person({ role: 'admin', scope: 'all' }),
  superuser: person({ is_superuser: true, scope: 'all' }),
  system: { kind: 'system' },
}
const who = <A extends Action>(
  action: A,
  ...subject: Parameters<typeof can<A>> extends [Actor, A, ...infer S] ? S : never
) => Object.keys(ACTORS).filter((name) => can(ACTORS[name] as Actor, action, ...(subject as never)))

test('by a link for photos even a superuser sends files and nothing else', () => {
  const guest = person({ is_superuser: true, scope: 'all', guest_link: { id: 1, label: 'Mecânico João' } })
  const order = {
    id: 1,
    company_id: 10,
    created_by: 1,
    technician_user_id: null,
    status: 'created',
    uploaded_by: 1,
  }
  const canOn = can as (actor: Actor, action: Action, subject: object) => boolean
  const allowed = (Object.keys(POLICY) as Action[]).filter((action) => canOn(guest, action, order))
  expect(allowed).toEqual(['order.read', 'evidence.upload', 'upload.cancel'])
  expect(() => authorize(guest, 'order.list')).toThrow('Você não tem permissão para esta ação.')
})

test('with an old session everything is allowed but what opens access, takes data out or cannot be undone', () => {
  const late = person({ is_superuser: true, scope: 'all', must_confirm: true })
  const anything = { id: 2, role: 'technician', company_id: 10, status: 'created', is_superuser: false }
  const authorized = authorize as (actor: Actor, action: Action, subject: object) => void
  for (const [action, proof] of Object.entries(LEAST_PROOF) as [Action, string][]) {
    // Superusers do not leave.
    if (action === 'account.leave') continue
    const attempt = expect(() => authorized(late, action, anything), action)
    if (['opens-access', 'takes-data-out', 'irrevocable'].includes(proof)) attempt.toThrow(CONFIRM_NEEDED)
    else attempt.not.toThrow()
  }
})

const user = (fields: Partial<OwnedUser> = {}): OwnedUser => ({
  id: 2,
  role: 'technician',
  company_id: 10,
  manager_id: null,
  is_superuser: false,
  ...fields,
})
const company = { id: 10, parent_id: null }
const ADMINS = ['admin', 'superuser', 'system']

describe('who may (D-38)', () => {
  test('work on companies', () => {
    expect(who('company.read')).toEqual(Object.keys(ACTORS).slice(1))
    expect(who('company.open')).toEqual(ADMINS)
    expect(who('company.delete')).toEqual(ADMINS)
    expect(who('company.restructure')).toEqual(ADMINS)
    expect(who('company.change', company)).toEqual(['manager', ...ADMINS])
    expect(who('company.change', { id: 11, parent_id: 10 })).toEqual(['manager', ...ADMINS])
    expect(who('company.change', { id: 12, parent_id: null })).toEqual(ADMINS)
  })

  test('work on claims: managers and above, technicians see them', () => {
    const leaders = ['manager', ...ADMINS]
    const own = { company_id: 11 }
    expect(who('claim.list')).toEqual(Object.keys(ACTORS).slice(1))
    expect(who('claim.read', { company_id: 10 })).toEqual(['technician', ...leaders])
    for (const action of [
      ...(['claim.open', 'claim.send', 'claim.decide', 'claim.pay', 'claim.reconcile'] as const),
      ...(['claim.withdraw', 'claim.correct', 'claim.debit', 'claim.write-off'] as const),
      ...(['part.change', 'visit.change', 'remittance.read', 'remittance.import'] as const),
    ]) {
      expect(who(action, { company_id: 10 })).toEqual(leaders)
      expect(who(action, own)).toEqual(leaders)
      expect(who(action, { company_id: 12 })).toEqual(ADMINS)
    }
    expect(who('claim.write-off-above', own)).toEqual(ADMINS)
    expect(who('claim.set-limit')).toEqual(ADMINS)
    expect(who('remittance.list')).toEqual(leaders)
  })

  test('read users: themselves, those of their companies, or all', () => {
    expect(who('user.list')).toEqual(['manager', ...ADMINS])
    expect(who('user.read', user())).toEqual(['manager', ...ADMINS])
    expect(who('user.read', user({ company_id: 12 }))).toEqual(ADMINS)
    expect(who('user.read', user({ company_id: null }))).toEqual(ADMINS)
    expect(who('user.read', user({ id: 1 }))).toEqual(Object.keys(ACTORS).slice(1))
  })

  test('create users', () => {
    expect(who('user.open', { role: 'technician', company_id: 11 })).toEqual(['manager', ...ADMINS])
    expect(who('user.open', { role: 'technician', company_id: 12 })).toEqual(ADMINS)
    expect(who('user.open', { role: 'manager', company_id: 10 })).toEqual(ADMINS)
    expect(who('user.open', { role: 'technician', company_id: 10, is_superuser: true })).toEqual([
      'superuser',
      'system',
    ])
  })

  test('change and delete users: never themselves, a superuser only by a superuser (ROLE-6, D-40)', () => {
    expect(who('user.change', user())).toEqual(ADMINS)
    expect(who('user.change', user({ manager_id: 1 }))).toEqual(['manager', ...ADMINS])
    expect(who('user.change', user({ manager_id: 1, role: 'manager' }))).toEqual(ADMINS)
    expect(who('user.change', user({ is_superuser: true, manager_id: 1 }))).toEqual(['superuser', 'system'])
    expect(who('user.delete', user({ manager_id: 1 }))).toEqual(ADMINS)
    expect(who('user.delete', user({ is_superuser: true }))).toEqual(['superuser', 'system'])
    for (const action of ['user.change', 'user.delete'] as const)
      expect(who(action, user({ id: 1 }))).toEqual(['system'])
    expect(who('user.reactivate', user({ manager_id: 1 }))).toEqual(['manager', ...ADMINS])
    expect(who('user.change-rights')).toEqual(ADMINS)
    expect(who('user.grant-superuser')).toEqual(['superuser', 'system'])
  })

  test('work on orders: a technician on their own, managers on their companies’, admins on all', () => {
    const own = { company_id: 10, created_by: 1, technician_user_id: 3 }
    const foreign = { ...own, company_id: 12 }
    const colleagues = { ...own, created_by: 2 }
    const unassigned = { company_id: 10, created_by: null, technician_user_id: null }
    const assigned = { ...colleagues, technician_user_id: 1 }
    for (const action of [
      ...(['order.change', 'order.status', 'customer.read', 'guest-link.manage'] as const),
      ...(['evidence.upload', 'evidence.convert', 'evidence.validate', 'evidence.change'] as const),
    ]) {
      for (const order of [own, assigned, unassigned])
        expect(who(action, order), action).toEqual(['technician', 'manager', ...ADMINS])
      expect(who(action, colleagues), action).toEqual(['manager', ...ADMINS])
      expect(who(action, foreign), action).toEqual(ADMINS)
    }
    const closing = ['order.complete', 'order.cancel'] as const
    for (const action of [...closing, 'order.backdate', 'order.import', 'order.accesses'] as const) {
      expect(who(action, own), action).toEqual(['manager', ...ADMINS])
      expect(who(action, foreign), action).toEqual(ADMINS)
    }
    const seen = ['order.read', 'order.comment', 'order.open', 'evidence.read', 'dossier.build'] as const
    for (const action of seen) {
      expect(who(action, colleagues), action).toEqual(['technician', 'manager', ...ADMINS])
      expect(who(action, foreign), action).toEqual(ADMINS)
    }
    for (const action of ['order.reopen', 'order.hold'] as const) expect(who(action, own)).toEqual(ADMINS)
  })

  test('delete files: a technician those that they have sent for their own orders', () => {
    const own = { company_id: 10, created_by: 1, technician_user_id: 3 }
    expect(who('evidence.delete', { ...own, uploaded_by: 1 })).toEqual(['technician', 'manager', ...ADMINS])
    expect(who('evidence.delete', { ...own, uploaded_by: 2 })).toEqual(['manager', ...ADMINS])
    expect(who('evidence.delete', { ...own, created_by: 2, uploaded_by: 1 })).toEqual(['manager', ...ADMINS])
    expect(who('evidence.delete', { ...own, company_id: 12, uploaded_by: 1 })).toEqual(ADMINS)
  })

  test('delete an order: never a technician, a completed one only an administrator (D-17)', () => {
    const own = { company_id: 10, created_by: 1, technician_user_id: 1 }
    expect(who('order.delete', { ...own, status: 'cancelled' })).toEqual(['manager', ...ADMINS])
    expect(who('order.delete', { ...own, status: 'completed' })).toEqual(ADMINS)
    expect(who('order.delete', { ...own, company_id: 12, status: 'created' })).toEqual(ADMINS)
  })

  test('leave, and what is of the whole house', () => {
    expect(who('account.leave')).toEqual(['lost', 'technician', 'manager', 'admin'])
    for (const action of ['customer.export', 'customer.bulk-export'] as const)
      expect(who(action), action).toEqual(['manager', ...ADMINS])
    for (const action of [
      ...(['brand.initialize', 'brand.change', 'quota.read', 'user.recredential'] as const),
      ...(['privacy.manage', 'privacy.export', 'privacy.anonymise'] as const),
    ])
      expect(who(action), action).toEqual(ADMINS)
    for (const action of [
      ...(['mail.read', 'mail.open', 'audit.read', 'audit.export', 'privacy.override'] as const),
      ...(['installation.read', 'installation.operate', 'webhook.open'] as const),
    ])
      expect(who(action), action).toEqual(['superuser', 'system'])
  })
})

test('an anonymous caller is asked to sign in; others are refused (D-03)', () => {
  expect(() => authorize({ kind: 'anonymous' }, 'company.read')).toThrow('Not authenticated')
  expect(() => authorize(person({}), 'company.open')).toThrow('Você não tem permissão para esta ação.')
  expect(() => authorize(person({ role: 'admin' }), 'company.open')).not.toThrow()
})

test('an anonymous caller may do nothing', () => {
  const subject = {
    id: 1,
    company_id: 10,
    created_by: null,
    technician_user_id: null,
    role: 'technician',
    status: 'created',
  }
  for (const [action, rule] of Object.entries(POLICY))
    expect([
      action,
      (rule as (actor: Actor, subject: unknown) => boolean)({ kind: 'anonymous' }, subject),
    ]).toEqual([action, false])
})

describe('whoever may do something on some subject', () => {
  const companies = [10, 11, 12]
  const people = [null, 1, 2]
  const subjects = companies.flatMap((company_id) =>
    people.flatMap((one) =>
      (['technician', 'manager', 'admin'] as const).flatMap((role) =>
        ([1, 10] as const).flatMap((id) =>
          (['created', 'completed'] as const).map((status) => ({
            ...{ id, company_id, created_by: one, technician_user_id: one, uploaded_by: one },
            ...{ manager_id: one, parent_id: null, role, status, is_superuser: false },
          })),
        ),
      ),
    ),
  )
  const canOn = can as (actor: Actor, action: Action, subject: object) => boolean
  const callers = Object.values(ACTORS).flatMap((actor) => [
    actor,
    ...(actor.kind === 'user' ? TOKEN_SCOPES.map((token_scope): Actor => ({ ...actor, token_scope })) : []),
  ])

  test.each(Object.keys(POLICY) as Action[])(
    'is not refused beforehand, and who may on none is: %s',
    (action) => {
      for (const actor of callers) {
        const may = subjects.some((subject) => canOn(actor, action, subject))
        const attempt = expect(() => authorizeSome(actor, action), JSON.stringify(actor))
        if (may) attempt.not.toThrow()
        // Beforehand only the role counts: not that somebody has no company, nor that superusers do not leave.
        else if (!hasNoCompany(actor) && action !== 'account.leave') attempt.toThrow()
      }
    },
  )

  test('and is told why', () => {
    expect(() => authorizeSome(person({}), 'user.open')).toThrow('Você não tem permissão')
    expect(() => authorizeSome(person({ role: 'manager' }), 'brand.change')).toThrow('Você não tem permissão')
    expect(() => authorizeSome(person({ role: 'admin', token_scope: 'read' }), 'order.open')).toThrow('token')
    expect(() => authorizeSome({ kind: 'anonymous' }, 'order.open')).toThrow('Not authenticated')
  })
})
