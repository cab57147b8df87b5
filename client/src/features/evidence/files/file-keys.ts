import { type EvidenceCategory, OFFERED_CATEGORIES } from '@garantia/shared/evidence/category'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import { canConvert, canDelete } from '@garantia/shared/evidence/status'
import type { HelpLine } from '../../../ui/keys/shortcut.ts'
import { areSingleKeysOn } from '../../../ui/keys/shortcut-registry.ts'
import type { CardRights, FileAction } from './card-actions.ts'

type KeyRights = Omit<CardRights, 'deletionRefusal'>
interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

interface FileKey {
  key: string
  label: string
  action: FileAction
  /** Whether the user has the permission and the file's state allows the action. */
  isAvailable: (file: EvidenceFile, rights: KeyRights) => boolean
}
const FILE_KEYS: readonly FileKey[] = [
  {
    key: 'e',
    label: 'Categoria e descrição',
    action: 'describe',
    isAvailable: (_, { mayChange }) => mayChange,
  },
  {
    key: 'r',
    label: 'Girar à direita',
    action: 'turn-right',
    isAvailable: (file, { mayChange }) => mayChangePhoto(file, mayChange),
  },
  {
    key: 'R',
    label: 'Girar à esquerda',
    action: 'turn-left',
    isAvailable: (file, { mayChange }) => mayChangePhoto(file, mayChange),
  },
  {
    key: 'm',
    label: 'Marcar',
    action: 'mark',
    isAvailable: (file, { mayChange }) => mayChangePhoto(file, mayChange),
  },
  {
    key: 'y',
    label: 'Usar a categoria sugerida',
    action: 'accept-category',
    isAvailable: ({ suggested_category }, { mayChange }) => mayChange && suggested_category !== null,
  },
  {
    key: 'p',
    label: 'Processar',
    action: 'convert',
    isAvailable: ({ status }, { mayConvert }) => mayConvert && canConvert(status),
  },
  {
    key: 'b',
    label: 'Baixar convertido',
    action: 'download',
    isAvailable: ({ status }) => status === 'converted',
  },
  { key: 'B', label: 'Baixar original', action: 'original', isAvailable: () => true },
  {
    key: 'Delete',
    label: 'Excluir',
    action: 'remove',
    isAvailable: ({ status }, { mayDelete }) => mayDelete && canDelete(status),
  },
]

/** The file keys, and the keys handled by cards and viewer themselves, for the help sheet. */
export const FILE_HELP: readonly HelpLine[] = [
  ...FILE_KEYS.map(({ key, label }) => ({
    keys: [key === 'Delete' ? 'delete' : key === key.toUpperCase() ? `shift+${key.toLowerCase()}` : key],
    label,
    scope: 'file' as const,
  })),
  {
    keys: ['1', String(OFFERED_CATEGORIES.length)],
    label: 'Dar uma das categorias, de 1 a 9',
    scope: 'file',
  },
  { keys: ['0'], label: 'Todas as categorias', scope: 'file' },
  { keys: ['x'], label: 'Selecionar', scope: 'file' },
  { keys: ['shift+arrowleft', 'shift+arrowright'], label: 'Selecionar também o vizinho', scope: 'file' },
  { keys: ['enter', 'space'], label: 'Ver o arquivo', scope: 'file' },
  { keys: ['arrowleft', 'arrowright'], label: 'Arquivo anterior ou seguinte', scope: 'viewer' },
  { keys: ['home', 'end'], label: 'Primeiro ou último arquivo', scope: 'viewer' },
  { keys: ['o'], label: 'Comparar original e convertido', scope: 'viewer' },
  { keys: ['i'], label: 'Informações do arquivo', scope: 'viewer' },
  { keys: ['+', '-'], label: 'Ampliar ou diminuir', scope: 'viewer' },
  { keys: ['escape'], label: 'Fechar', scope: 'viewer' },
]

/**
 * Key map shared by cards and viewer: the action of a key on a file, or null when permission or state do not
 * allow it.
 */
export function fileActionFor(
  { key, ...modifiers }: Press,
  file: EvidenceFile,
  rights: KeyRights,
): FileAction | { category: EvidenceCategory } | null {
  if (modifiers.ctrlKey || modifiers.metaKey || modifiers.altKey) return null
  const category = OFFERED_CATEGORIES[Number(key) - 1]
  if (category) return rights.mayChange ? { category } : null
  const found = FILE_KEYS.find((one) => one.key === key)
  return found?.isAvailable(file, rights) ? found.action : null
}

export const mayChangePhoto = ({ file_type }: Pick<EvidenceFile, 'file_type'>, mayChange: boolean) =>
  mayChange && file_type === 'image'

/**
 * True for a single-character key while the user has switched single-key shortcuts off. The space bar is
 * exempt: it activates the focused element.
 */
export const isSingleKeyDisabled = (key: string) => key.length === 1 && key !== ' ' && !areSingleKeysOn()
