import { LOGO_LIMITS } from '@garantia/shared/companies/logo'
import { companyDetail } from '@garantia/shared/companies/schema'
import { picture } from '../support/make.ts'
import { multipart, type TestApp } from '../support/test-app.ts'
import { ledWriting, onPath, type Row } from './matrix-fixture.ts'
import type { Row as Contract } from './people-rows.ts'
import { type Attempt, withTooManyOpen } from './upload-rows.ts'

const file = async (content?: Buffer | string, filename = 'logo.png') =>
  multipart([{ name: 'file', filename, content: content ?? (await picture('png', 300, 100)) }])

/** Logos of companies. */
export const LOGO_MATRIX: Row[] = [
  {
    rest: ['POST /companies/{id}/logo'],
    expected: ledWriting([200, 200, 404]),
    attempt: async ({ companies }, place) => ({ path: String(companies[place].id), ...(await file()) }),
  },
  {
    rest: ['DELETE /companies/{id}/logo'],
    procedure: 'companies.removeLogo',
    expected: ledWriting([200, 200, 404]),
    attempt: ({ companies }, place) => onPath(companies[place].id),
  },
]

export const logoContract = async (company_id: number): Promise<Contract[]> => {
  const path = `/companies/${company_id}/logo`
  return [
    { id: 'D-93', call: 'POST /companies/{id}/logo', path, ...(await file()), reply: companyDetail },
    { id: 'D-93', call: 'DELETE /companies/{id}/logo', path, reply: companyDetail },
  ]
}

export function logoRefusals(testApp: TestApp): Record<string, () => Promise<Attempt>> {
  const path = async () => `/companies/${(await testApp.make.company()).id}/logo`
  return {
    'POST /companies/{id}/logo 400': async () => ({
      path: await path(),
      body: 'nada disso é multipart',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
    'POST /companies/{id}/logo 413': async () => ({
      path: await path(),
      ...(await file(Buffer.alloc(LOGO_LIMITS.bytes + 1, 'x'))),
    }),
    'POST /companies/{id}/logo 415': async () => ({ path: await path(), body: { file: 'x' } }),
    'POST /companies/{id}/logo 429': async () => ({
      as: await withTooManyOpen(testApp),
      path: await path(),
      ...(await file()),
    }),
  }
}
