export { backUp } from './back-up.ts'
export { type BackupFault, checkBackup } from './check.ts'
export { restoreBackup } from './restore.ts'
