import { customerRetention, customerRetentionRun } from '@garantia/shared/privacy/customer-retention'
import { incidentChange, incidentContent } from '@garantia/shared/privacy/incident'
import { registerInput, registerQuestion } from '@garantia/shared/privacy/register'
import { router, signedIn } from '../../../http/trpc.ts'
import {
  changeIncident,
  listIncidents,
  openIncident,
  readCustomerRetention,
  readRegister,
  saveRegister,
  setCustomerRetention,
  switchCustomerRetention,
} from './service.ts'

export const complianceRouter = router({
  register: signedIn
    .input(registerQuestion)
    .query(({ ctx: { ctx }, input }) => readRegister(ctx, input.version)),
  saveRegister: signedIn.input(registerInput).mutation(({ ctx: { ctx }, input }) => saveRegister(ctx, input)),
  incidents: signedIn.query(({ ctx: { ctx } }) => listIncidents(ctx)),
  openIncident: signedIn
    .input(incidentContent)
    .mutation(({ ctx: { ctx }, input }) => openIncident(ctx, input)),
  changeIncident: signedIn
    .input(incidentChange)
    .mutation(({ ctx: { ctx }, input }) => changeIncident(ctx, input)),
  customerRetention: signedIn.query(({ ctx: { ctx } }) => readCustomerRetention(ctx)),
  setCustomerRetention: signedIn
    .input(customerRetention)
    .mutation(({ ctx: { ctx }, input }) => setCustomerRetention(ctx, input)),
  switchCustomerRetention: signedIn
    .input(customerRetentionRun)
    .mutation(({ ctx: { ctx }, input }) => switchCustomerRetention(ctx, input)),
})
