export { readCustomerRetention, setCustomerRetention } from './customer-retention.ts'
export { changeIncident, listIncidents, openIncident } from './incidents.ts'
export { readRegister, saveRegister } from './register.ts'
