export { StartProblem } from '../kernel/start-problem.ts'
