import { type EvidenceCategory, OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import type { HelpLine } from '../../../ui/keys/shortcut.ts'
import { areSingleKeysOn } from '../../../ui/keys/shortcut-registry.ts'
import type { CardRights, FileDeed } from './card-actions.ts'

interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

interface FileKey {
  key: string
  words: string
  deed: FileDeed
  /** Whether this person may, and the file's state allows it. */
  holds: (file: EvidenceFile, rights: CardRights) => boolean
}
const FILE_KEYS: readonly FileKey[] = [
  { key: 'e', words: 'Categoria e descrição', deed: 'describe', holds: (_, { mayChange }) => mayChange },
  {
    key: 'r',
    words: 'Girar à direita',
    deed: 'turn-right',
    holds: (file, { mayChange }) => mayTurn(file, mayChange),
  },
  {
    key: 'R',
    words: 'Girar à esquerda',
    deed: 'turn-left',
    holds: (file, { mayChange }) => mayTurn(file, mayChange),
  },
  {
    key: 'p',
    words: 'Processar',
    deed: 'convert',
    holds: ({ status }, { mayConvert }) => mayConvert && canConvert(status),
  },
  { key: 'b', words: 'Baixar convertido', deed: 'download', holds: ({ status }) => status === 'converted' },
  { key: 'B', words: 'Baixar original', deed: 'original', holds: () => true },
  {
    key: 'Delete',
    words: 'Excluir',
    deed: 'remove',
    holds: ({ status }, { mayDelete }) => mayDelete && canDelete(status),
  },
]

/** The same map, and what else a card and the viewer obey, for the help sheet. */
export const FILE_HELP: readonly HelpLine[] = [
  ...FILE_KEYS.map(({ key, words }) => ({
    keys: [key === 'Delete' ? 'delete' : key === key.toUpperCase() ? `shift+${key.toLowerCase()}` : key],
    words,
    place: 'file' as const,
  })),
  {
    keys: ['1', String(OFFERED_CATEGORIES.length)],
    words: 'Dar uma das categorias, de 1 a 9',
    place: 'file',
  },
  { keys: ['0'], words: 'Todas as categorias', place: 'file' },
  { keys: ['enter', 'space'], words: 'Ver o arquivo', place: 'file' },
  { keys: ['arrowleft', 'arrowright'], words: 'Arquivo anterior ou seguinte', place: 'viewer' },
  { keys: ['home', 'end'], words: 'Primeiro ou último arquivo', place: 'viewer' },
  { keys: ['o'], words: 'Comparar original e convertido', place: 'viewer' },
  { keys: ['i'], words: 'Informações do arquivo', place: 'viewer' },
  { keys: ['+', '-'], words: 'Ampliar ou diminuir', place: 'viewer' },
  { keys: ['escape'], words: 'Fechar', place: 'viewer' },
]

/** One map for the cards and the viewer: what a key does to a file, if this person may and its state allows. */
export function deedOf(
  { key, ...held }: Press,
  file: EvidenceFile,
  rights: CardRights,
): FileDeed | { category: EvidenceCategory } | null {
  if (held.ctrlKey || held.metaKey || held.altKey) return null
  const category = OFFERED_CATEGORIES[Number(key) - 1]
  if (category) return rights.mayChange ? { category } : null
  const found = FILE_KEYS.find((one) => one.key === key)
  return found?.holds(file, rights) ? found.deed : null
}

export const mayTurn = ({ file_type }: Pick<EvidenceFile, 'file_type'>, mayChange: boolean) =>
  mayChange && file_type === 'image'

/** Who switched off the keys of one character has switched off these too; the space bar presses what has the focus. */
export const isSilenced = (key: string) => key.length === 1 && key !== ' ' && !areSingleKeysOn()
