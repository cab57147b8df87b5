import { makeGuestLink } from '@garantia/server/features/evidence/guest-links'
import { GUEST_BYTES_DEFAULT, type GuestLinkInput } from '@garantia/shared/evidence/guest-link'
import type { Caller, TestApp } from './test-app.ts'

export const linkInput = (order_id: number, fields: Partial<GuestLinkInput> = {}): GuestLinkInput => ({
  order_id,
  label: 'Mecânico João',
  categories: ['placa', 'odometro'],
  shows: ['vehicle_plate'],
  expires_in_days: 7,
  max_files: 30,
  max_bytes: GUEST_BYTES_DEFAULT,
  ...fields,
})

/** Headers of whoever has the token of a link. */
export const guestHeaders = (token: string) => ({ authorization: `Guest ${token}` })

/** A link of this person for an order, and somebody without an account who has it. */
export async function guestOf(
  testApp: TestApp,
  maker: Caller,
  order_id: number,
  fields: Partial<GuestLinkInput> = {},
) {
  const link = await makeGuestLink(maker.ctx, linkInput(order_id, fields))
  const { anonymous } = testApp
  const guest: Caller = {
    ...anonymous,
    api: (method, path, body, headers = {}) =>
      anonymous.api(method, path, body, { ...guestHeaders(link.token), ...headers }),
  }
  return { link, guest }
}
