// One file to load for the three, as whatever several load by themselves moves into what every screen loads.
export { CustomerRetentionTab } from './customer-retention-tab.tsx'
export { IncidentsTab } from './incidents-tab.tsx'
export { RegisterTab } from './register-tab.tsx'
