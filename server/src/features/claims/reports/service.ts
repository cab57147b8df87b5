export { readAnswers } from './answers.ts'
export { readReceivable } from './receivable.ts'
