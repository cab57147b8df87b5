import { Button } from '@blueprintjs/core'
import { CrossIcon, TagIcon } from '@blueprintjs/icons'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import {
  EVIDENCE_CATEGORY,
  type EvidenceCategory,
  OFFERED_CATEGORIES,
} from '@garantia/shared/evidence/category'
import { counted } from '@garantia/shared/format'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import type { FileSelection } from './file-selection.ts'

interface Props {
  selection: FileSelection
  /** Files in the grid. */
  total: number
  brand: string
  required: readonly RequiredCategory[]
  onCategory: (category: EvidenceCategory | null) => void
  onClear: () => void
}

/** Actions on the selected files; floats, so that nothing shifts when it appears. */
export function SelectionBar({ selection, total, brand, required, onCategory, onClear }: Props) {
  const hint = useKeyHint()
  const count = selection.files.length
  const beyond = required.map(({ category }) => category).filter((one) => !OFFERED_CATEGORIES.includes(one))
  const entry = (category: EvidenceCategory) => ({
    text: EVIDENCE_CATEGORY[category],
    isChosen: selection.files.every((file) => file.evidence_category === category),
    onClick: () => onCategory(category),
  })
  useShortcut('escape', onClear, { label: 'Limpar seleção', isInPalette: false })
  return (
    <section className="bulk-bar" aria-label="Arquivos selecionados">
      <span className="bulk-count numeric" role="status">
        {counted(count, 'arquivo selecionado', 'arquivos selecionados')}
      </span>
      <Button
        variant="minimal"
        size="small"
        icon={<CrossIcon />}
        aria-label="Limpar seleção"
        {...hint('Limpar seleção', 'escape')}
        onClick={onClear}
      />
      <div className="bulk-actions">
        <MenuButton
          label="Categoria dos selecionados"
          shortcut="t"
          placement="top-start"
          items={[
            ...OFFERED_CATEGORIES.map(entry),
            ...beyond.map((category, index) => ({
              ...entry(category),
              ...(index === 0 && { heading: `Exigidas por ${brand}` }),
            })),
            { text: 'Sem categoria', heading: '', onClick: () => onCategory(null) },
          ]}
        >
          <Button
            variant="minimal"
            size="small"
            icon={<TagIcon />}
            text="Categoria"
            {...hint('Categoria dos selecionados', 't')}
          />
        </MenuButton>
        {count < total && (
          <Button variant="minimal" size="small" text="Selecionar todos" onClick={selection.addAll} />
        )}
      </div>
    </section>
  )
}
