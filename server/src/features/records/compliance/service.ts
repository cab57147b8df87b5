export {
  ordersOverTime,
  readCustomerRetention,
  setCustomerRetention,
  switchCustomerRetention,
} from './customer-retention.ts'
export { changeIncident, listIncidents, openIncident } from './incidents.ts'
export { readRegister, saveRegister } from './register.ts'
