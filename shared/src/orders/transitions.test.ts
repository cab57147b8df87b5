import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Actor, Person } from '../policy.ts'
import {
  type FileCounts,
  isClosed,
  isPaused,
  nextStatus,
  ORDER_STATUSES,
  type OrderStatus,
  pipelineStatus,
} from './status.ts'
import { checkTransition, type Pipeline, transitionsOf } from './transitions.ts'

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
const PEOPLE = {
  technician: person({}),
  manager: person({ role: 'manager' }),
  admin: person({ role: 'admin', scope: 'all' }),
  superuser: person({ is_superuser: true, scope: 'all' }),
  outsider: person({ role: 'manager', scope: [11] }),
  anonymous: { kind: 'anonymous' },
} satisfies Record<string, Actor>
const order = (status: OrderStatus, technician_user_id: number | null = null) => ({
  status,
  company_id: 10,
  created_by: 2,
  technician_user_id,
})
const at = (value: OrderStatus, is_converting = value === 'in_progress'): Pipeline => ({
  value,
  is_converting,
})

/** The table of decisions, section 2, as an independent copy: from, to, and the lowest role that may. */
const OPEN = ['created', 'pending_upload', 'in_progress', 'ready', 'pending', 'in_analysis'] as const
function leastRole(from: OrderStatus, to: OrderStatus, { value, is_converting }: Pipeline) {
  if (from === 'completed') return to === 'in_analysis' ? 'admin' : null
  if (from === 'cancelled') return to === value ? 'admin' : null
  if (to === 'completed') return is_converting ? null : 'manager'
  if (to === 'cancelled') return 'manager'
  if (to === 'pending' || to === 'in_analysis') return 'technician'
  if (from === 'pending' || from === 'in_analysis') return to === value ? 'technician' : null
  return from === 'created' && to === 'pending_upload' ? 'technician' : null
}
const RANK = { technician: 0, manager: 1, admin: 2, superuser: 3 }
const PIPELINE = ['created', 'pending_upload', 'in_progress', 'ready'] as const

describe('who may make which transition (decisions 2, D-06)', () => {
  test.each(ORDER_STATUSES)('from %s', (from) => {
    for (const value of PIPELINE)
      for (const is_converting of [false, true])
        for (const to of ORDER_STATUSES.filter((one) => one !== from))
          for (const role of ['technician', 'manager', 'admin', 'superuser'] as const) {
            const least = leastRole(from, to, at(value, is_converting))
            const verdict = checkTransition(PEOPLE[role], order(from), to, at(value, is_converting))
            expect([from, to, value, role, verdict.is_allowed]).toEqual([
              from,
              to,
              value,
              role,
              least !== null && RANK[role] >= RANK[least],
            ])
            expect(verdict.reason === null).toBe(verdict.is_allowed)
            expect(verdict.refusal === null).toBe(verdict.is_allowed)
          }
  })

  test('refused outside the scope, to anonymous callers, and to a technician on a colleague’s order', () => {
    for (const from of OPEN)
      for (const to of ORDER_STATUSES.filter((one) => one !== from)) {
        expect(checkTransition(PEOPLE.outsider, order(from), to, at('created')).is_allowed).toBe(false)
        expect(checkTransition(PEOPLE.anonymous, order(from), to, at('created')).is_allowed).toBe(false)
        expect(checkTransition(PEOPLE.technician, order(from, 3), to, at('created')).is_allowed).toBe(false)
      }
    expect(checkTransition(PEOPLE.technician, order('created', 1), 'pending', at('created')).is_allowed).toBe(
      true,
    )
  })
})

describe('a refusal gives its reason in Portuguese (D-03)', () => {
  test.each([
    ['manager', 'created', 'ready', 'conflict', 'Transição de status não permitida: Criada → Pronta'],
    ['admin', 'completed', 'pending', 'conflict', 'Transição de status não permitida: Concluída → Pendente'],
    [
      'admin',
      'cancelled',
      'completed',
      'conflict',
      'Transição de status não permitida: Cancelada → Concluída',
    ],
    [
      'manager',
      'in_progress',
      'completed',
      'conflict',
      'Há arquivos em conversão. Aguarde o término para concluir.',
    ],
    [
      'technician',
      'ready',
      'completed',
      'forbidden',
      'Somente gestores e administradores podem concluir uma OS',
    ],
    [
      'technician',
      'ready',
      'cancelled',
      'forbidden',
      'Somente gestores e administradores podem cancelar uma OS',
    ],
    ['manager', 'completed', 'in_analysis', 'forbidden', 'Somente administradores podem reabrir uma OS'],
  ] as const)('%s, %s → %s', (role, from, to, refusal, reason) =>
    expect(checkTransition(PEOPLE[role], order(from), to, at(from))).toMatchObject({ refusal, reason }),
  )

  test('a colleague’s order', () =>
    expect(checkTransition(PEOPLE.technician, order('created', 3), 'pending', at('created'))).toMatchObject({
      refusal: 'forbidden',
      reason: 'Esta OS é de outro técnico',
    }))
})

describe('the status menu (MOD-5, STA-12)', () => {
  const menu = (actor: Actor, from: OrderStatus, pipeline = at(from)) =>
    transitionsOf(actor, order(from), pipeline).map(
      ({ status, label, is_allowed, asks_reason }) =>
        `${status} «${label}»${is_allowed ? '' : ' no'}${asks_reason ? ' why?' : ''}`,
    )

  test('of a new order', () => {
    expect(menu(PEOPLE.manager, 'created')).toEqual([
      'pending_upload «Solicitar evidências»',
      'pending «Marcar como pendente»',
      'in_analysis «Colocar em análise»',
      'completed «Concluir»',
      'cancelled «Cancelar» why?',
    ])
    expect(menu(PEOPLE.technician, 'created').slice(3)).toEqual([
      'completed «Concluir» no',
      'cancelled «Cancelar» no why?',
    ])
  })

  test('of a paused order: it resumes to the status of its files', () =>
    expect(menu(PEOPLE.technician, 'pending', at('ready')).slice(0, 2)).toEqual([
      'ready «Retomar»',
      'in_analysis «Colocar em análise»',
    ]))

  test('of closed orders: reopening, and the four choices as refused', () => {
    expect(menu(PEOPLE.admin, 'completed')).toEqual([
      'pending «Pendente» no',
      'in_analysis «Reabrir» why?',
      'cancelled «Cancelada» no',
    ])
    expect(menu(PEOPLE.admin, 'cancelled', at('pending_upload'))).toEqual([
      'pending_upload «Reabrir» why?',
      'pending «Pendente» no',
      'in_analysis «Em Análise» no',
      'completed «Concluída» no',
    ])
  })

  test('always has the four choices, refused ones with a reason, and never the current status', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(PEOPLE)),
        fc.constantFrom(...ORDER_STATUSES),
        fc.constantFrom(...PIPELINE),
        (actor, from, value) => {
          const list = transitionsOf(actor, order(from), at(value))
          expect(list.map(({ status }) => status)).not.toContain(from)
          for (const choice of ['pending', 'in_analysis', 'completed', 'cancelled'] as const)
            expect(from === choice || list.some(({ status }) => status === choice)).toBe(true)
          for (const one of list) expect(Boolean(one.reason)).toBe(!one.is_allowed)
        },
      ),
    ))
})

/** One random step: a file is added, removed, converted or fails, or somebody changes the status. */
type Step =
  | { does: 'upload' | 'remove' | 'queue' | 'finish' | 'fail' }
  | { does: 'move'; who: keyof typeof PEOPLE; to: OrderStatus }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constantFrom('upload', 'remove', 'queue', 'finish', 'fail') }),
  fc.record({
    does: fc.constant('move' as const),
    who: fc.constantFrom(...(Object.keys(PEOPLE) as (keyof typeof PEOPLE)[])),
    to: fc.constantFrom(...ORDER_STATUSES),
  }),
)
/** File counts after the step; a closed order accepts no files. */
function filesAfter(files: FileCounts, does: Step['does']): FileCounts {
  const from = files.pending > 0 ? 'pending' : 'failed'
  switch (does) {
    case 'upload':
      return { ...files, pending: files.pending + 1 }
    case 'remove':
      return files[from] > 0 ? { ...files, [from]: files[from] - 1 } : files
    case 'queue':
      return {
        ...files,
        converting: files.converting + files.pending + files.failed,
        pending: 0,
        failed: 0,
      }
    case 'finish':
    case 'fail': {
      const to = does === 'finish' ? 'converted' : 'failed'
      return files.converting > 0
        ? { ...files, converting: files.converting - 1, [to]: files[to] + 1 }
        : files
    }
    default:
      return files
  }
}

test('no sequence of steps leads to a forbidden status (decisions 2, D-05)', () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isValid) => {
      let files: FileCounts = { pending: 0, converting: 0, converted: 0, failed: 0 }
      let status: OrderStatus = 'created'
      for (const one of steps) {
        const before: OrderStatus = status
        if (one.does === 'move') {
          const pipeline = { value: pipelineStatus(files, isValid), is_converting: files.converting > 0 }
          if (
            one.to === status ||
            !checkTransition(PEOPLE[one.who], order(status), one.to, pipeline).is_allowed
          )
            continue
          status = one.to
          if (status === 'cancelled')
            files = { ...files, pending: files.pending + files.converting, converting: 0 }
          expect(['anonymous', 'outsider']).not.toContain(one.who)
          if (isClosed(before)) expect(['admin', 'superuser']).toContain(one.who)
        } else {
          if (isClosed(status)) continue
          files = filesAfter(files, one.does)
          status = nextStatus(status, files, isValid)
          if (isPaused(before)) expect(status).toBe(before)
        }
        expect(nextStatus(status, files, isValid)).toBe(status)
        if (isClosed(status)) expect(files.converting).toBe(0)
        if (status === 'ready') expect(files.pending + files.converting + files.failed).toBe(0)
        if (status === 'in_progress') expect(files.converting).toBeGreaterThan(0)
      }
    }),
    { numRuns: 500 },
  ))
