import { constants } from 'node:os'
import { lowerPriority } from '../priority.ts'
import { runProgram } from './program.ts'

const words = process.argv.slice(2)
// Before any thread begins: the server that runs beside it goes first.
if (words[0] === 'backup') lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL)
await runProgram(words)
