import { expect, test } from 'vitest'
import { type FirstStep, nextStep } from './schema.ts'

const steps = (...done: FirstStep[]) => ({
  brands: done.includes('brands'),
  company: done.includes('company'),
  technician: done.includes('technician'),
  order: done.includes('order'),
})

test('the first steps are brands, company, technician and the first order, in this sequence', () => {
  expect(nextStep(steps())).toBe('brands')
  expect(nextStep(steps('brands'))).toBe('company')
  expect(nextStep(steps('brands', 'company'))).toBe('technician')
  expect(nextStep(steps('brands', 'company', 'technician'))).toBe('order')
  expect(nextStep(steps('brands', 'technician'))).toBe('company')
})

test('an order ends the guide, whatever was skipped', () => {
  expect(nextStep(steps('brands', 'order'))).toBeNull()
})
