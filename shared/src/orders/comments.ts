import { z } from 'zod'
import { id, text } from '../fields.ts'
import { folded } from '../format.ts'

const COMMENT_MAX = 2_000
export const MENTIONS_MAX = 20

/** A comment is an event of the order's history: it is neither changed nor deleted. */
export const commentInput = z.object({
  id,
  comment: text(COMMENT_MAX).refine((value) => value !== '', 'Escreva o comentário'),
  mentions: z.array(id).max(MENTIONS_MAX, `Mencione no máximo ${MENTIONS_MAX} pessoas`).optional(),
})
export type CommentInput = z.output<typeof commentInput>

/** One page of an order's comments, newest first; `before` is the last id already read. */
export const commentFilter = z.object({ id, before: id.optional() })
export type CommentFilter = z.output<typeof commentFilter>

export interface CommentView {
  id: number
  at: string
  actor_name: string
  comment: string
}
export interface CommentPage {
  comments: CommentView[]
  has_more: boolean
}
/** Somebody who may read the order. */
export interface MentionedPerson {
  id: number
  full_name: string
}

/** How a mention stands in the text. */
export const mentionOf = (full_name: string) => `@${full_name}`
/**
 * The people whose mention is in the text: what was deleted from it mentions nobody. A place in it belongs to the
 * longest name, so that «@Ana Lima» does not mention Ana.
 */
export function mentionedIn(comment: string, people: readonly MentionedPerson[]) {
  const longestFirst = [...new Set(people.map(({ full_name }) => full_name))]
    .filter((name) => name.trim() !== '')
    .sort((a, b) => b.length - a.length)
  let rest = comment
  const found = new Set<string>()
  for (const name of longestFirst) {
    const literal = mentionOf(name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const without = rest.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`, 'gu'),
      ' ',
    )
    if (without !== rest) found.add(name)
    rest = without
  }
  return people.filter(({ full_name }) => found.has(full_name))
}

/**
 * The people whose name has what was typed, the likeliest first: names that begin with it, then names with a word that
 * does, then the others; each in the given order.
 */
export function peopleMeant(typed: string, people: readonly MentionedPerson[]) {
  const part = folded(typed)
  const rankOf = ({ full_name }: MentionedPerson) => {
    const name = folded(full_name)
    if (name.startsWith(part)) return 0
    if (` ${name.replaceAll(/[-']/g, ' ')}`.includes(` ${part.replaceAll(/[-']/g, ' ')}`)) return 1
    return name.includes(part) ? 2 : 3
  }
  return [0, 1, 2].flatMap((rank) => people.filter((person) => rankOf(person) === rank))
}

/** The word after an «@» that ends at the caret, while a person is being chosen; null otherwise. */
export function mentionBeingTyped(beforeCaret: string) {
  const typed = /(?:^|\s)@([\p{L}\p{M}' -]{0,40})$/u.exec(beforeCaret)?.[1]
  return typed === undefined ? null : typed
}
