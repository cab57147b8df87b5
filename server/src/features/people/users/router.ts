import { byId } from '@garantia/shared/fields'
import { userChange, userFilter, userInput } from '@garantia/shared/users/schema'
import { z } from 'zod'
import { router, signedIn } from '../../../http/trpc.ts'
import { removeFactorsOf } from '../second-factor/service.ts'
import { changeUser, createUser, listManagers, listUsers, readUser, removeUser } from './service.ts'

export const usersRouter = router({
  list: signedIn.input(userFilter).query(({ ctx: { ctx }, input }) => listUsers(ctx, input)),
  managers: signedIn
    .input(z.object({ except: byId.shape.id.optional() }))
    .query(({ ctx: { ctx }, input }) => listManagers(ctx, input.except)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readUser(ctx, input.id)),
  open: signedIn.input(userInput).mutation(({ ctx: { ctx }, input }) => createUser(ctx, input)),
  change: signedIn
    .input(byId.extend({ change: userChange }))
    .mutation(({ ctx: { ctx }, input }) => changeUser(ctx, input.id, input.change)),
  remove: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeUser(ctx, input.id)),
  removeFactors: signedIn.input(byId).mutation(({ ctx: { ctx }, input }) => removeFactorsOf(ctx, input.id)),
})
