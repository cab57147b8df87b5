export { exportMonthlyReport } from './export.ts'
export { readMonthlyReport } from './monthly.ts'
