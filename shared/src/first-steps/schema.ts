import { z } from 'zod'

/** What a new installation needs before its first order, in this order. */
export const FIRST_STEPS = ['brands', 'company', 'technician', 'order'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** What is there already; an order ends the guide, whatever else is missing. */
export const firstSteps = z.record(z.enum(FIRST_STEPS), z.boolean())
export type FirstSteps = z.output<typeof firstSteps>

/** The first one that is still to be done; null once there is an order. */
export const nextStep = (steps: FirstSteps): FirstStep | null =>
  steps.order ? null : (FIRST_STEPS.find((step) => !steps[step]) ?? null)
