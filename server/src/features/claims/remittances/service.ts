import type {
  DifferenceFilter,
  DifferencePage,
  DifferenceResolution,
  RemittanceBooking,
  RemittanceColumns,
  RemittanceFilter,
  RemittanceInput,
  RemittanceLineView,
  RemittanceOwner,
  RemittancePage,
  RemittanceReason,
  RemittanceReport,
  RemittanceView,
} from '@garantia/shared/claims/remittance'
import type { Ctx } from '../../../kernel/context.ts'
import type { UploadPart } from '../../../kernel/storage/storage.ts'

const missing = (): never => {
  throw new Error('not built')
}
export const listRemittances = async (_: Ctx, __: RemittanceFilter): Promise<RemittancePage> => missing()
export const readRemittance = async (_: Ctx, __: number): Promise<RemittanceView> => missing()
export const receiveRemittance = async (
  _: Ctx,
  __: RemittanceOwner,
  ___: AsyncIterable<UploadPart>,
  ____: number | null,
): Promise<RemittanceView> => missing()
export const typeRemittance = async (_: Ctx, __: RemittanceInput): Promise<RemittanceView> => missing()
export const checkRemittance = async (
  _: Ctx,
  __: number,
  ___: RemittanceColumns,
): Promise<RemittanceReport> => missing()
export const runRemittance = async (_: Ctx, __: number, ___: RemittanceBooking): Promise<RemittanceView> =>
  missing()
export const undoRemittance = async (_: Ctx, __: number, ___: RemittanceReason): Promise<RemittanceView> =>
  missing()
export const listDifferences = async (_: Ctx, __: DifferenceFilter): Promise<DifferencePage> => missing()
export const resolveDifference = async (
  _: Ctx,
  __: number,
  ___: DifferenceResolution,
): Promise<RemittanceLineView> => missing()
