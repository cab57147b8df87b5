import fc from 'fast-check'
import { isExhaustive } from './exhaustive.ts'

// Properties see the same values in every default run: a failure is the fault of the change at hand.
if (!isExhaustive) fc.configureGlobal({ seed: 20_261_130 })
