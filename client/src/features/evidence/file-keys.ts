import { type EvidenceCategory, OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import { areSingleKeysOn } from '../../ui/shortcut-registry.ts'
import type { CardRights, FileDeed } from './evidence-card.tsx'

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** One map for the cards and the viewer: what a key does to a file, if this person may and its state allows. */
export function deedOf(
  { key, ...held }: Press,
  file: EvidenceFile,
  { mayConvert, mayDelete, mayChange }: CardRights,
): FileDeed | { category: EvidenceCategory } | null {
  if (held.ctrlKey || held.metaKey || held.altKey) return null
  const category = OFFERED_CATEGORIES[Number(key) - 1]
  if (category) return mayChange ? { category } : null
  switch (key) {
    case 'e':
      return mayChange ? 'describe' : null
    case 'r':
      return mayTurn(file, mayChange) ? 'turn-right' : null
    case 'R':
      return mayTurn(file, mayChange) ? 'turn-left' : null
    case 'p':
      return mayConvert && canConvert(file.status) ? 'convert' : null
    case 'b':
      return file.status === 'converted' ? 'download' : null
    case 'B':
      return 'original'
    case 'Delete':
      return mayDelete && canDelete(file.status) ? 'remove' : null
    default:
      return null
  }
}

export const mayTurn = ({ file_type }: Pick<EvidenceFile, 'file_type'>, mayChange: boolean) =>
  mayChange && file_type === 'image'

/** Who switched off the keys of one character has switched off these too; the space bar presses what has the focus. */
export const isSilenced = (key: string) => key.length === 1 && key !== ' ' && !areSingleKeysOn()
