import { z } from 'zod'

/** Steps that a new installation needs before its first order, in sequence. */
export const FIRST_STEPS = ['brands', 'company', 'technician', 'order'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** Which steps are done. An order completes the guide, whatever else is missing. */
export const firstSteps = z.record(z.enum(FIRST_STEPS), z.boolean())
export type FirstSteps = z.output<typeof firstSteps>

/** The first step that is not done; null once there is an order. */
export const nextStep = (steps: FirstSteps): FirstStep | null =>
  steps.order ? null : (FIRST_STEPS.find((step) => !steps[step]) ?? null)
