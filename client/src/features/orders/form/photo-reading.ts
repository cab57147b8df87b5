import type { VehiclePhotoReading } from '@garantia/shared/orders/vehicle-photo'
import type { ChosenFile } from '../../../lib/drafts.ts'
import { queryClient } from '../../../lib/trpc.ts'
import { fileIdentity } from '../../evidence/upload/upload-item.ts'

/** Key under which the reading of a chosen photo is cached. */
export const readingKey = (file: File) => ['vehicle-photo', fileIdentity(file)] as const

/**
 * The files, each with the category that was read in it and in no other: a walk around a car shows its plate in many.
 * None while any of them is being read.
 */
export function withCategories(files: readonly File[]): ChosenFile[] {
  const states = files.map((file) => queryClient.getQueryState<VehiclePhotoReading>(readingKey(file)))
  const isEachRead = states.every((state) => state && state.status !== 'pending')
  const told = states.map((state) => (isEachRead && state?.data?.category) || null)
  return files.map((file, index) => {
    const category = told[index] ?? null
    return { file, category: told.filter((other) => other === category).length === 1 ? category : null }
  })
}
