import { otherCalls, timedScenarios } from './claims-scenarios.ts'
import { measureCalls } from './comparing.ts'

/** Claims, one of each order, from ten thousand to a million (goal P17). */
await measureCalls('claims', { timed: timedScenarios, others: otherCalls })
