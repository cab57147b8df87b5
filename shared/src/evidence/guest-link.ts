import { z } from 'zod'
import { id, text } from '../fields.ts'
import { MEGABYTE } from '../format.ts'
import { EVIDENCE_CATEGORIES } from './category.ts'

/** What of an order the page of a link may name, if its maker ticks it. */
export const GUEST_SHOWN = {
  company: 'Empresa',
  os_number: 'Número da OS',
  vehicle_model: 'Modelo do veículo',
  vehicle_plate: 'Placa',
} as const
export type GuestShown = keyof typeof GUEST_SHOWN
export const GUEST_SHOWN_NAMES = Object.keys(GUEST_SHOWN) as GuestShown[]

export const GUEST_LABEL_MAX = 80
/** Days of validity offered in the form, and the one chosen at first. */
export const GUEST_DAYS = [1, 3, 7, 15, 30] as const
export const GUEST_DAYS_DEFAULT = 7
export const GUEST_FILES_MAX = 200
export const GUEST_FILES_DEFAULT = 30
/** Bytes offered in the form, and those chosen at first. */
export const GUEST_BYTES = [100, 300, 1_000, 3_000].map((megabytes) => megabytes * MEGABYTE)
export const GUEST_BYTES_DEFAULT = 300 * MEGABYTE
/** Links of one order that are neither revoked nor expired. */
export const GUEST_LINKS_MAX = 10

/** A link by which somebody without an account sends photos of one order. */
export const guestLinkInput = z.object({
  order_id: id,
  /** For whom, as «Mecânico João»: named with every photo. */
  label: text(GUEST_LABEL_MAX).min(1, 'Diga para quem é o link'),
  categories: z
    .array(z.enum(EVIDENCE_CATEGORIES, 'Categoria desconhecida'))
    .min(1, 'Escolha ao menos uma categoria')
    .refine((all) => new Set(all).size === all.length, 'Categoria repetida'),
  shows: z
    .array(z.enum(GUEST_SHOWN_NAMES, 'Dado desconhecido'))
    .refine((all) => new Set(all).size === all.length, 'Dado repetido'),
  expires_in_days: z
    .number('Validade é obrigatória')
    .int('Use dias inteiros')
    .min(1, 'A validade mínima é de 1 dia')
    .max(30, 'A validade máxima é de 30 dias'),
  max_files: z
    .number('Limite de arquivos é obrigatório')
    .int('Use um número inteiro')
    .min(1, 'No mínimo 1 arquivo')
    .max(GUEST_FILES_MAX, `No máximo ${GUEST_FILES_MAX} arquivos`),
  max_bytes: z
    .number('Limite de tamanho é obrigatório')
    .int('Use um número inteiro')
    .min(MEGABYTE, 'No mínimo 1 MB')
    .max(3_000 * MEGABYTE, 'No máximo 3 GB'),
})
export type GuestLinkInput = z.output<typeof guestLinkInput>

export type GuestLinkState = 'active' | 'expired' | 'revoked'
export const GUEST_LINK_STATE: Record<GuestLinkState, string> = {
  active: 'Ativo',
  expired: 'Vencido',
  revoked: 'Revogado',
}
/** A revoked link stays revoked when it would have expired since. */
export function guestLinkState(
  { expires_at, revoked_at }: { expires_at: string | Date; revoked_at: string | Date | null },
  now: Date,
): GuestLinkState {
  if (revoked_at !== null) return 'revoked'
  return new Date(expires_at) <= now ? 'expired' : 'active'
}

export interface GuestLinkView {
  id: number
  label: string
  categories: GuestLinkInput['categories']
  shows: GuestShown[]
  max_files: number
  max_bytes: number
  /** What has arrived by it and was not deleted, with what is announced. */
  files: number
  bytes: number
  created_at: string
  created_by_name: string
  expires_at: string
  revoked_at: string | null
  last_used_at: string | null
}
/** The only answer that contains the secret part of the address. */
export type NewGuestLink = GuestLinkView & { token: string }

/** The address of a link's page: the secret stands behind «#», which no browser sends to a server. */
export const guestAddress = (origin: string, token: string) => `${origin}/fotos#${token}`

/** What the page of a link gets: nothing of the order but what was ticked. */
export const guestView = z.object({
  label: z.string(),
  order: z.object({
    company: z.string().optional(),
    os_number: z.string().optional(),
    vehicle_model: z.string().nullish(),
    vehicle_plate: z.string().nullish(),
  }),
  /** The order takes no files any more. */
  is_closed: z.boolean(),
  categories: z.array(z.enum(EVIDENCE_CATEGORIES)),
  expires_at: z.string(),
  files_left: z.number().int(),
  bytes_left: z.number(),
  /** Most bytes of one file. */
  max_file_bytes: z.number(),
  /** What has arrived by this link, the newest first. */
  files: z.array(
    z.object({
      /** Of its upload. */
      id: z.string(),
      category: z.enum(EVIDENCE_CATEGORIES).nullable(),
      filename: z.string(),
      uploaded_at: z.string(),
      has_thumbnail: z.boolean(),
    }),
  ),
})
export type GuestView = z.output<typeof guestView>

/** What a guest learns of a file that has arrived: whether it has sent it before. */
export const guestUploadResult = z.object({
  skipped: z.array(z.object({ filename: z.string(), detail: z.string() })),
})

export const GUEST_UNKNOWN = 'Link desconhecido. Confira o endereço ou peça outro a quem o enviou.'
export const GUEST_REVOKED = 'Este link foi revogado. Peça outro a quem o enviou.'
export const GUEST_EXPIRED = 'Este link venceu. Peça outro a quem o enviou.'
export const GUEST_OWNER_GONE = 'Quem criou este link não pode mais receber fotos. Peça outro à oficina.'
export const GUEST_OTHER_CATEGORY = 'Este link não recebe fotos desta categoria.'
export const GUEST_FULL = 'Este link já recebeu todos os arquivos que podia. Peça outro a quem o enviou.'
export const guestOverBytes = (left: string) =>
  `Este arquivo não cabe no limite do link: restam ${left}. Peça outro a quem o enviou.`
