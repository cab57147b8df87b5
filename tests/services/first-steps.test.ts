import { readFirstSteps } from '@garantia/server/features/system/first-steps'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

test('the guide detects what exists: brands, a company that is no sample, a technician, an order', async () => {
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true, role: 'admin' }))
  const steps = () => readFirstSteps(boss.ctx)
  const nothing = { brands: false, company: false, technician: false, order: false }
  expect(await steps()).toEqual(nothing)
  await boss.api('POST', '/brands/initialize')
  // The two companies that came with the brands are samples and do not count.
  expect(await steps()).toEqual({ ...nothing, brands: true })
  const company = await testApp.make.company()
  expect(await steps()).toEqual({ ...nothing, brands: true, company: true })
  await testApp.make.user({ role: 'technician', company_id: company.id, is_active: false })
  expect((await steps()).technician).toBe(false)
  const technician = await testApp.make.user({ role: 'technician', company_id: company.id })
  expect((await steps()).technician).toBe(true)
  await testApp.make.order({ company_id: company.id })
  const all = { brands: true, company: true, technician: true, order: true }
  expect(await steps()).toEqual(all)
  expect(await readFirstSteps((await testApp.as(technician)).ctx)).toEqual(all)
  await expect(readFirstSteps(testApp.anonymous.ctx)).rejects.toMatchObject({ code: 'unauthenticated' })
})
