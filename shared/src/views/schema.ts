import { z } from 'zod'
import { claimViewCriteria } from '../claims/views.ts'
import { id, text } from '../fields.ts'
import { orderViewCriteria } from '../orders/views.ts'

/** The lists that have saved views, each with what a view of it may hold. */
const CRITERIA = { orders: orderViewCriteria, claims: claimViewCriteria }
export const VIEW_LISTS = ['orders', 'claims'] as const satisfies (keyof typeof CRITERIA)[]
export type ViewList = (typeof VIEW_LISTS)[number]

/** Filter, sort and page size of a list under the names of its address; the list itself knows which it has. */
const viewCriteria = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
export type ViewCriteria = Partial<z.output<typeof viewCriteria>>

export const ofList = z.object({ list: z.enum(VIEW_LISTS, 'Lista desconhecida') })

/** What a person types. */
export const viewFields = z.object({
  name: text(60).min(1, 'Dê um nome à vista'),
  /** Visible to everybody in the owner's company. */
  is_shared: z.boolean(),
})

/** With the id of one's own view: this one is changed, and may have another name. */
export const viewInput = ofList
  .extend({ id: id.optional(), ...viewFields.shape, criteria: z.looseObject({}) })
  .transform(({ criteria, ...view }, context) => {
    const known = CRITERIA[view.list].safeParse(criteria)
    if (known.success) return { ...view, criteria: known.data as ViewCriteria }
    context.addIssue({ code: 'custom', message: 'Filtro inválido', path: ['criteria'] })
    return z.NEVER
  })
export type ViewInput = z.output<typeof viewInput>

export const savedView = z.object({
  id,
  name: z.string(),
  is_shared: z.boolean(),
  is_mine: z.boolean(),
  owner_name: z.string(),
  criteria: viewCriteria,
})
export type SavedView = z.output<typeof savedView>

/** What a list needs of a view to show it. */
export interface View {
  name: string
  criteria: ViewCriteria
}
