import { Button } from '@blueprintjs/core'
import { ChevronDownIcon, ChevronRightIcon } from '@blueprintjs/icons'
import { awaitedText, DUE_KIND } from '@garantia/shared/claims/deadlines'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { CLAIM_STATE, CLAIM_TYPE, claimName } from '@garantia/shared/claims/state'
import { STEP_LABEL } from '@garantia/shared/claims/steps'
import { brl, counted, date, dayText } from '@garantia/shared/format'
import { useId, useState } from 'react'
import { Badge, StatusBadge } from '../../../ui/feedback/badge.tsx'
import { useKeyHint } from '../../../ui/keys/key-hint.ts'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { CopyButton } from '../../../ui/page/copy-button.tsx'
import { RowMenu } from '../../../ui/table/row-menu.tsx'
import { ClaimParts } from '../parts/claim-parts.tsx'
import { ClaimLines } from './claim-lines.tsx'
import { ClaimLog } from './claim-log.tsx'
import { type ClaimSubject, offeredSteps, subjectOf } from './claim-subject.ts'
import { ClaimSums } from './claim-sums.tsx'
import { dueText } from './claim-words.ts'
import { FailedMail } from './failed-mail.tsx'

interface Props {
  claim: ClaimView
  /** All claims of the order. */
  all: readonly ClaimView[]
  /** Its next step has the filled button of the screen, and the key. */
  isPrimary: boolean
  /** Whether it is unfolded at first. */
  isUnfolded: boolean
  onStep: (subject: ClaimSubject) => void
}

export function ClaimPanel({ claim, all, isPrimary, isUnfolded, onStep }: Props) {
  const headingId = useId()
  const [isOpen, setIsOpen] = useState(isUnfolded)
  const name = claimName(claim)
  const previous = all.find(({ id }) => id === claim.previous_id)
  return (
    <section className="panel claim" aria-labelledby={headingId}>
      <div className="claim-head">
        <Button
          className="claim-fold"
          variant="minimal"
          size="small"
          icon={isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          aria-label={`${isOpen ? 'Recolher' : 'Mostrar'} ${name}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
        <div className="claim-title">
          <div className="claim-title-line">
            <h2 id={headingId} className="numeric">
              {name}
            </h2>
            <StatusBadge badge={CLAIM_STATE[claim.state]} />
            {claim.type !== 'normal' && (
              <Badge colour="gray" isOutlined>
                {CLAIM_TYPE[claim.type].label}
                {previous && ` da ${claimName(previous)}`}
              </Badge>
            )}
          </div>
          <Facts claim={claim} />
        </div>
        {!isOpen && <span className="claim-folded-sum numeric">{brl(claim.claimed)}</span>}
        <Steps claim={claim} all={all} isPrimary={isPrimary} onStep={onStep} />
      </div>
      {claim.mail_failed_at !== null && <FailedMail claim={claim} />}
      {isOpen && (
        <div className="claim-body">
          <ClaimSums claim={claim} />
          {claim.lines.length > 0 ? (
            <ClaimLines claim={claim} />
          ) : (
            <p className="muted">Nenhum item ainda: inclua ao menos um antes de enviar.</p>
          )}
          {claim.sent_at !== null && claim.lines.some(({ kind }) => kind === 'part') && (
            <ClaimParts claim={claim} />
          )}
          {claim.note && <p className="claim-note">{claim.note}</p>}
          <ClaimLog claim={claim} onStep={onStep} />
        </div>
      )}
    </section>
  )
}

function Facts({ claim }: { claim: ClaimView }) {
  const { brand_number, sent_at, age_days, created_at, actor_name } = claim
  const due = dueText(claim)
  return (
    <p className="claim-facts muted">
      {brand_number !== null && (
        <span className="claim-number">
          Nº na marca <strong className="numeric">{brand_number}</strong>
          <CopyButton what="número na marca" text={brand_number} />
        </span>
      )}
      <span>
        {sent_at === null
          ? `Aberta em ${date(created_at)} por ${actor_name}`
          : `Enviada em ${date(sent_at)}, ${age_days ? `há ${counted(age_days, 'dia', 'dias')}` : 'hoje'}`}
      </span>
      {claim.credit_note_on && <span>Nota de crédito de {dayText(claim.credit_note_on)}</span>}
      {claim.due_awaits && (
        <span>
          {DUE_KIND.appeal}: {awaitedText(claim.due_awaits)}
        </span>
      )}
      {due && (
        <span className={due.isOverdue ? 'claim-overdue' : undefined}>
          {due.what}: {due.on} ({due.left})
        </span>
      )}
    </p>
  )
}

type StepsProps = Pick<Props, 'claim' | 'all' | 'isPrimary' | 'onStep'>

/** The next step as a button, filled in one claim of the screen; the others in a menu. */
function Steps({ claim, all, isPrimary, onStep }: StepsProps) {
  const { next, others } = offeredSteps(claim, all)
  const start = (step: (typeof others)[number]) => onStep(subjectOf(claim, step))
  const hint = useKeyHint()
  useShortcut('p', () => next && start(next), {
    isEnabled: isPrimary && next !== null,
    label: next ? STEP_LABEL[next] : '',
  })
  return (
    <div className="claim-steps">
      {next && (
        <Button
          intent={isPrimary ? 'primary' : 'none'}
          text={STEP_LABEL[next]}
          {...(isPrimary ? hint(STEP_LABEL[next], 'p') : {})}
          onClick={() => start(next)}
        />
      )}
      {others.length > 0 && (
        <RowMenu
          label={`Ações da ${claimName(claim)}`}
          items={others.map((step) => ({
            text: STEP_LABEL[step],
            isDanger: step === 'withdraw',
            onClick: () => start(step),
          }))}
        />
      )}
    </div>
  )
}
