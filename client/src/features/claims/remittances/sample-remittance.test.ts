import { proposeRemittanceColumns, readRemittanceLine } from '@garantia/shared/claims/remittance-line'
import type { ClaimRow } from '@garantia/shared/claims/schema'
import { expect, test } from 'vitest'
import { sampleRemittance } from './sample-remittance.ts'

const claim = (n: number, brand_id: number, authorised: number, paid = 0) =>
  ({
    brand_number: `G10420${n}1`,
    os_number: `10420${n}`,
    company_id: 1,
    brand_id,
    authorised,
    paid,
  }) as ClaimRow

test('the sample pays what the brand that owes most claims has authorised, one too little and one unknown', () => {
  const sample = sampleRemittance([
    claim(1, 7, 90),
    claim(2, 8, 1_200.5),
    claim(3, 8, 100),
    claim(4, 8, 50, 50),
  ])
  expect(sample).toMatchObject({ company_id: 1, brand_id: 8, name: 'demonstrativo-104202.csv' })
  const [headings = [], ...rows] = (sample?.csv ?? '').split('\r\n').map((row) => row.split(';'))
  const mapping = proposeRemittanceColumns(headings)
  const lines = rows.map((cells, line) => readRemittanceLine({ line, cells }, mapping))
  expect(lines).toMatchObject([
    { brand_number: 'G1042021', os_number: '104202', amount: 1_200.5 },
    { brand_number: 'G1042031', os_number: '104203', amount: 90 },
    { brand_number: 'G9999991', amount: 480 },
  ])
  expect(sampleRemittance([claim(4, 8, 50, 50)])).toBeNull()
})
