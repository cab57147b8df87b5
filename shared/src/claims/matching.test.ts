import { expect, test } from 'vitest'
import { type Candidate, matchLines } from './matching.ts'

const claim = (fields: Partial<Candidate>): Candidate => ({
  id: 1,
  state: 'accepted',
  brand_number: 'SG1',
  os_number: '000123',
  vehicle_chassis: '9BWZZZ377VT004251',
  claimed: 100,
  authorised: 100,
  paid: 0,
  debited: 0,
  written_off: 0,
  carried: 0,
  ...fields,
})
let serial = 0
const line = (fields: object) => ({
  line: ++serial,
  brand_number: null,
  os_number: null,
  chassis_end: null,
  document: null,
  amount: 100,
  fingerprint: String(serial),
  ...fields,
})
const judge = (lines: object[], claims: Candidate[] = [claim({})], tolerance = 0, repeated: string[] = []) =>
  matchLines(lines.map(line), claims, { tolerance, repeated: new Set(repeated) }).map(
    ({ outcome, claim_id, difference }) => [outcome, claim_id, difference],
  )
const byOs = { os_number: '000123', chassis_end: '4251' }

test('the number of the brand finds a claim exactly, else OS, end of the chassis and amount together', () => {
  expect(judge([{ brand_number: 'SG1' }])).toEqual([['matched', 1, null]])
  expect(judge([{ brand_number: 'sg1' }])).toEqual([['unknown', null, 'unknown']])
  expect(judge([byOs])).toEqual([['matched', 1, null]])
  expect(judge([{ ...byOs, amount: 99.99 }])).toEqual([['differing', 1, 'paid_less']])
  // Never by the amount alone, nor by OS and amount.
  expect(judge([{ brand_number: 'other' }, { os_number: '000123' }])).toEqual([
    ['unknown', null, 'unknown'],
    ['unknown', null, 'unknown'],
  ])
  expect(judge([{ ...byOs, chassis_end: '251' }])).toEqual([['unknown', null, 'unknown']])
  expect(judge([{ ...byOs, chassis_end: '4252' }])).toEqual([['unknown', null, 'unknown']])
})

test('what the line says otherwise is not overlooked', () => {
  // The order's claim has another number at the brand.
  expect(judge([{ ...byOs, brand_number: 'SG2' }])).toEqual([['unknown', null, 'unknown']])
  // The number is that of a claim of another order.
  expect(judge([{ brand_number: 'SG1', os_number: '000999' }])).toEqual([['differing', 1, 'other_order']])
  expect(judge([{ brand_number: 'SG1', chassis_end: '9999' }])).toEqual([['differing', 1, 'other_order']])
})

test('of several claims the one whose amount fits is taken, and none where several fit', () => {
  const two = [claim({ paid: 60, state: 'credited' }), claim({ id: 2 })]
  expect(judge([{ brand_number: 'SG1' }], two)).toEqual([['matched', 2, null]])
  expect(judge([{ brand_number: 'SG1', amount: 7 }], two)).toEqual([['unknown', null, 'several']])
  expect(judge([{ brand_number: 'SG1' }], [claim({}), claim({ id: 2 })])).toEqual([
    ['unknown', null, 'several'],
  ])
  expect(judge([{ brand_number: 'SG1' }], [claim({ state: 'withdrawn' }), claim({ id: 2 })])).toEqual([
    ['matched', 2, null],
  ])
})

test.each([
  [{ amount: 99 }, {}, 'differing', 'paid_less'],
  [{ amount: 101 }, {}, 'differing', 'paid_more'],
  [{ amount: -5 }, {}, 'differing', 'debited'],
  [{}, { state: 'sent', authorised: null }, 'differing', 'not_decided'],
  [{}, { state: 'draft', authorised: null }, 'differing', 'not_sent'],
  [{}, { state: 'rejected', authorised: 0 }, 'differing', 'rejected'],
  [{}, { state: 'credited', paid: 100 }, 'already_paid', 'already_paid'],
  [{}, { state: 'accepted', written_off: 100 }, 'already_paid', 'already_paid'],
] as const)('a line %o of a claim %o is %s: %s', (given, state, outcome, difference) =>
  expect(judge([{ brand_number: 'SG1', ...given }], [claim(state)])).toEqual([[outcome, 1, difference]]),
)

test('the tolerance is of both sides, and a claim is paid once', () => {
  const number = { brand_number: 'SG1' }
  expect(judge([{ ...number, amount: 99.95 }], undefined, 0.05)).toEqual([['matched', 1, null]])
  expect(judge([{ ...number, amount: 100.05 }], undefined, 0.05)).toEqual([['matched', 1, null]])
  expect(judge([{ ...number, amount: 99.94 }], undefined, 0.05)).toEqual([['differing', 1, 'paid_less']])
  expect(judge([number, number])).toEqual([
    ['matched', 1, null],
    ['already_paid', 1, 'already_paid'],
  ])
  // Of nothing expected, a few cents are no payment within the tolerance.
  expect(judge([number, { ...number, amount: 0.03 }], undefined, 0.05)[1]).toEqual([
    'already_paid',
    1,
    'already_paid',
  ])
})

test('several lines of one number match when they pay it together', () => {
  const parts = [40, 35, 25].map((amount) => ({ brand_number: 'SG1', amount }))
  expect(judge(parts).map(([outcome]) => outcome)).toEqual(['matched', 'matched', 'matched'])
  expect(judge(parts.slice(1)).map(([, , difference]) => difference)).toEqual(['paid_less', 'paid_less'])
})

test('a line that repeats another, of the file or of an earlier one, is not taken again', () => {
  const number = { brand_number: 'SG1', fingerprint: 'same' }
  expect(judge([number, number])).toEqual([
    ['matched', 1, null],
    ['duplicate', 1, 'duplicate'],
  ])
  expect(judge([number], undefined, 0, ['same'])).toEqual([['duplicate', 1, 'duplicate']])
})
