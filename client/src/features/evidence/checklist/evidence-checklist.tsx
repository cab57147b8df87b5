import { Button } from '@blueprintjs/core'
import { ConfirmIcon, TickCircleIcon } from '@blueprintjs/icons'
import { categoryProgress, isFilled } from '@garantia/shared/evidence/category-progress'
import { type Check, type Fix, isConfirmation } from '@garantia/shared/evidence/checks'
import type { EvidenceFile, EvidenceList } from '@garantia/shared/evidence/schema'
import { counted } from '@garantia/shared/format'
import type { OrderView } from '@garantia/shared/orders/schema'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { trpc } from '../../../lib/trpc.ts'
import { Delayed, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { useCamera } from '../files/camera.ts'
import { useWaitingCategories } from '../upload/waiting-categories.ts'
import { CheckRow } from './check-row.tsx'
import { SlotRow } from './slot-row.tsx'
import { CHECKLIST_ID, useChecklist } from './use-checklist.tsx'
import './evidence-checklist.css'

const PHONE = '(max-width: 767px)'

export interface ChecklistRights {
  mayUpload: boolean
  mayConvert: boolean
  mayChange: boolean
  mayValidate: boolean
}
interface Props {
  order: OrderView
  list: EvidenceList
  rights: ChecklistRights
  onUpload: (files?: Iterable<File>, category?: string) => void
  onConvert: (ids: readonly number[], force: boolean) => void
  onDescribe: (files: readonly EvidenceFile[]) => void
}

/** Checklist of the brand's requirements: missing categories first, then every failed check with its fix. */
export function EvidenceChecklist({ order, list, rights, onUpload, onConvert, onDescribe }: Props) {
  const { data: rules, error } = trpc.brands.evidenceRules.useQuery({ id: order.brand_id })
  const { result, validate, isValidating } = useChecklist(order, list)
  const waiting = useWaitingCategories(order.id)
  const navigate = useNavigate()
  const files = list.evidence_files
  const slots = categoryProgress(rules?.required_categories ?? [], files)
  // V02 (missing category) is already shown by the slots.
  const problems = (result?.checks ?? []).filter(({ ok, code }) => !ok && code !== 'V02')

  const confirmed = (result?.checks ?? []).filter(isConfirmation)
  const blocking = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  // Warnings start collapsed on phones, where the files come first; warnings do not block.
  const [isNarrow] = useState(() => window.matchMedia(PHONE).matches)

  const chosen = (ids: readonly number[]) => files.filter(({ id }) => ids.includes(id))
  const photograph = useCamera(onUpload)
  const remedies: { [Kind in Fix['kind']]: (fix: Extract<Fix, { kind: Kind }>) => (() => void) | null } = {
    convert: (fix) => (rights.mayConvert ? () => onConvert(fix.evidence_ids, fix.force) : null),
    categorize: (fix) => (rights.mayChange ? () => onDescribe(chosen(fix.evidence_ids)) : null),
    upload: (fix) => (rights.mayUpload ? () => onUpload([], fix.category ?? '') : null),
    edit: ({ fields: [campo] }) =>
      rights.mayUpload
        ? () => void navigate({ to: '/os/$id/edit', params: { id: order.id }, search: { campo } })
        : null,
    review: (fix) => () => showCard(fix.evidence_ids),
  }
  const remedyOf = (fix: Fix | null) => fix && (remedies[fix.kind] as (fix: Fix) => (() => void) | null)(fix)

  const checkRow = (check: Check) => (
    <CheckRow key={check.code + check.message} check={check} onFix={remedyOf(check.fix)} />
  )

  return (
    <section
      id={CHECKLIST_ID}
      tabIndex={-1}
      className="checklist"
      aria-label={`Exigido por ${order.brand.display_name}`}
    >
      <div className="checklist-top">
        <h2>Exigido por {order.brand.display_name}</h2>
        {slots.length > 0 && (
          <span className="numeric muted">
            {slots.filter(isFilled).length} de {slots.length}
          </span>
        )}
        {rights.mayValidate && (
          <Button
            size="small"
            icon={<ConfirmIcon />}
            text="Validar"
            title="Confere tudo, inclusive os bytes guardados"
            loading={isValidating}
            onClick={validate}
          />
        )}
      </div>
      {!rules && error && <p className="muted">Não carregado.</p>}
      {!rules && !error && (
        <Delayed>
          {[70, 55, 80].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </Delayed>
      )}
      {slots.length > 0 && (
        <ul className="checklist-slots">
          {slots.map((slot) => (
            <SlotRow
              key={slot.category}
              slot={slot}
              waiting={waiting.filter((category) => category === slot.category).length}
              picture={files.find(({ id }) => id === slot.evidence_ids[0])?.thumbnail_url ?? null}
              onUpload={rights.mayUpload ? () => onUpload([], slot.category) : null}
              onPhotograph={() => photograph(slot.category)}
            />
          ))}
        </ul>
      )}
      {blocking.length > 0 && (
        <ul className="checklist-problems" aria-label="Pendências">
          {blocking.map(checkRow)}
        </ul>
      )}
      {warnings.length > 0 && (
        <details className="checklist-warnings" open={!isNarrow}>
          <summary>{counted(warnings.length, 'aviso', 'avisos')}</summary>
          <ul className="checklist-problems" aria-label="Avisos">
            {warnings.map(checkRow)}
          </ul>
        </details>
      )}
      {confirmed.length > 0 && (
        <ul className="checklist-problems" aria-label="Lido nas fotos">
          {confirmed.map(({ message }) => (
            <li key={message} className="check is-confirmed">
              <TickCircleIcon aria-hidden="true" />
              {message}
            </li>
          ))}
        </ul>
      )}
      <div role="status">
        {result && problems.length === 0 && slots.every(isFilled) && (
          <p className="checklist-done">Nada falta nesta OS.</p>
        )}
      </div>
    </section>
  )
}

/** Scrolls to the card of the first file and focuses it. */
function showCard([first]: readonly number[]) {
  const card = document.querySelector<HTMLElement>(`[data-card="${first}"]`)
  card?.scrollIntoView({ block: 'center' })
  card?.focus({ preventScroll: true })
}
