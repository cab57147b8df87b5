import { Button } from '@blueprintjs/core'
import { EditIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { RequiredCategory } from '@garantia/shared/brands/schema'
import {
  EVIDENCE_CATEGORY,
  type EvidenceCategory,
  OFFERED_CATEGORIES,
} from '@garantia/shared/evidence/category'
import type { Check } from '@garantia/shared/evidence/checks'
import type { SuggestedCategory } from '@garantia/shared/evidence/reading'
import { readText } from '@garantia/shared/evidence/reading-warnings'
import type { EvidenceFile } from '@garantia/shared/evidence/schema'
import type { OrderView } from '@garantia/shared/orders/schema'
import type { Ref } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Field } from '../../../ui/form/field.tsx'
import { KeyCap } from '../../../ui/keys/key-cap.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { CategorySelect } from '../files/category-select.tsx'
import { ViewerFacts } from './viewer-facts.tsx'
import { ViewerReading } from './viewer-reading.tsx'
import './viewer-panel.css'
import '../checklist/evidence-checklist.css'

interface Props {
  file: EvidenceFile
  order: OrderView
  brand: string
  required: readonly RequiredCategory[]
  mayChange: boolean
  mayEdit: boolean
  onReplace: ((file: EvidenceFile) => void) | null
  selectRef: Ref<HTMLDivElement>
  onCategory: (category: EvidenceCategory | null) => void
  onDescribe: () => void
}

/** The status beside the name says that a file is not converted, the reading itself what it shows. */
const SAID_ELSEWHERE = ['V07', 'V18', 'V19']

/** What was read in a file, its category, failed checks and facts. */
export function ViewerPanel(props: Props) {
  const { file, brand, required, mayChange, selectRef, onCategory, onDescribe } = props
  const { data: checklist } = trpc.evidence.checklist.useQuery({ order_id: file.order_id })
  const hint = useKeyHint()
  const failedChecks = (checklist?.checks ?? []).filter(
    ({ ok, code, evidence_ids }) => !ok && !SAID_ELSEWHERE.includes(code) && evidence_ids.includes(file.id),
  )
  return (
    <aside className="viewer-panel" aria-label="Informações do arquivo">
      <ViewerReading key={file.id} {...props} />
      <section aria-label="Categoria">
        <h3>Categoria</h3>
        {mayChange ? (
          <>
            {file.suggested_category && (
              <Suggestion suggested={file.suggested_category} onCategory={onCategory} />
            )}
            <ul className="viewer-categories">
              {OFFERED_CATEGORIES.map((category, index) => (
                <li key={category}>
                  <Button
                    variant="minimal"
                    alignText="start"
                    fill
                    active={file.evidence_category === category}
                    aria-pressed={file.evidence_category === category}
                    onClick={() => onCategory(category)}
                  >
                    <KeyCap keys={String(index + 1)} /> {EVIDENCE_CATEGORY[category]}
                  </Button>
                </li>
              ))}
            </ul>
            <div className="viewer-other" ref={selectRef}>
              <KeyCap keys="0" />
              <Field label="Todas as categorias">
                {(control) => (
                  <CategorySelect
                    control={control}
                    value={file.evidence_category ?? ''}
                    onChange={(category) => onCategory((category || null) as EvidenceCategory | null)}
                    brand={brand}
                    required={required}
                  />
                )}
              </Field>
            </div>
          </>
        ) : (
          <p>{file.evidence_category ? EVIDENCE_CATEGORY[file.evidence_category] : 'Sem categoria'}</p>
        )}
      </section>
      <section aria-label="Descrição">
        <h3>
          Descrição
          {mayChange && (
            <Button
              size="small"
              variant="minimal"
              icon={<EditIcon />}
              aria-label="Editar categoria e descrição"
              {...hint('Editar', 'e')}
              onClick={onDescribe}
            />
          )}
        </h3>
        <p className={file.description ? 'viewer-description' : 'muted'}>
          {file.description ?? 'Sem descrição'}
        </p>
      </section>
      {failedChecks.length > 0 && <Warnings failedChecks={failedChecks} />}
      <section aria-label="Dados do arquivo">
        <h3>Arquivo</h3>
        <ViewerFacts file={file} />
      </section>
    </aside>
  )
}

interface SuggestionProps {
  suggested: SuggestedCategory
  onCategory: (category: EvidenceCategory) => void
}
function Suggestion({ suggested: { category, kind, text }, onCategory }: SuggestionProps) {
  const hint = useKeyHint()
  return (
    <p ref={focusFrameOnUnmount} className="viewer-suggestion">
      <span>A foto parece mostrar {readText(kind, text)}.</span>
      <Button
        size="small"
        text={`Usar ${EVIDENCE_CATEGORY[category]}`}
        {...hint('Usar a categoria sugerida', 'y')}
        onClick={() => onCategory(category)}
      />
    </p>
  )
}

/** The keys of the viewer would be lost with the focus on the button that has been pressed. */
const focusFrameOnUnmount = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement))
    element.closest<HTMLElement>('.viewer-frame')?.focus({ preventScroll: true })
}

const Warnings = ({ failedChecks }: { failedChecks: readonly Check[] }) => (
  <section aria-label="Avisos da OS">
    <h3>Avisos da OS que incluem este arquivo</h3>
    <ul className="viewer-warnings">
      {failedChecks.map(({ code, message, severity, evidence_ids: { length } }) => (
        <li key={code + message} className={`is-${severity}`}>
          <WarningSignIcon aria-hidden="true" />
          <span>
            {message}
            {length > 1 && <span className="muted numeric"> · este e mais {length - 1}</span>}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
