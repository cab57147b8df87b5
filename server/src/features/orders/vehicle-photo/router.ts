import { byId } from '@garantia/shared/fields'
import { vehiclePhoto } from '@garantia/shared/orders/vehicle-photo'
import { router, signedIn } from '../../../http/trpc.ts'
import { readVehiclePhoto, sendVehiclePhoto } from './service.ts'

export const vehiclePhotosRouter = router({
  send: signedIn.input(vehiclePhoto).mutation(({ ctx: { ctx }, input }) => sendVehiclePhoto(ctx, input.jpeg)),
  one: signedIn.input(byId).query(({ ctx: { ctx }, input }) => readVehiclePhoto(ctx, input.id)),
})
