import { measureCalls } from './comparing.ts'
import { otherCalls, timedScenarios } from './orders-scenarios.ts'

/** Orders from ten thousand to a million (goals P1, P3, P4 and P11). */
await measureCalls('orders', { timed: timedScenarios, others: otherCalls })
