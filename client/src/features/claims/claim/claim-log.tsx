import { Button } from '@blueprintjs/core'
import { SUBMISSION_CHANNEL } from '@garantia/shared/claims/answers'
import { ENTRY_KIND, type EntryView } from '@garantia/shared/claims/entries'
import { sumOf } from '@garantia/shared/claims/money'
import type { ClaimView } from '@garantia/shared/claims/schema'
import { CLAIM_STATE } from '@garantia/shared/claims/state'
import { brl, dateTime, dayText } from '@garantia/shared/format'
import type { ReactNode } from 'react'
import type { ClaimSubject } from './claim-subject.ts'
import '../../orders/detail/history.css'

interface LogEvent {
  key: string
  at: string
  title: string
  who: string
  colour: 'status' | 'evidence' | 'data'
  facts: readonly string[]
  aside?: ReactNode
}

interface Props {
  claim: ClaimView
  onStep: (subject: ClaimSubject) => void
}

/** What happened to a claim, newest first: sendings, answers and money. */
export function ClaimLog({ claim, onStep }: Props) {
  const events = [...sendings(claim), ...answers(claim), ...entries(claim, onStep)].sort((a, b) =>
    a.at < b.at ? 1 : -1,
  )
  if (events.length === 0) return null
  return (
    <ol className="timeline claim-log" aria-label="Andamento">
      {events.map(({ key, at, title, who, colour, facts, aside }) => (
        <li key={key} className={`timeline-event is-${colour}`}>
          <p className="timeline-line">
            <strong>{title}</strong>
            <span className="muted">
              {who} · <time dateTime={at}>{dateTime(at)}</time>
            </span>
          </p>
          {facts.length > 0 && (
            <div className="timeline-facts">
              {facts.map((fact) => (
                <span key={fact} className="claim-fact">
                  {fact}
                </span>
              ))}
            </div>
          )}
          {aside}
        </li>
      ))}
    </ol>
  )
}

const sendings = ({ submissions }: ClaimView): LogEvent[] =>
  submissions.map(({ n, sent_at, channel, dossier_n, brand_number, note, actor_name }) => ({
    key: `sending-${n}`,
    at: sent_at,
    title: n === 1 ? 'Enviada à marca' : `Enviada de novo (${n}º envio)`,
    who: actor_name,
    colour: 'status',
    facts: [
      `${SUBMISSION_CHANNEL[channel]} · dossiê versão ${dossier_n}`,
      ...(brand_number ? [`Nº na marca ${brand_number}`] : []),
      ...(note ? [note] : []),
    ],
  }))

const answers = ({ decisions }: ClaimView): LogEvent[] =>
  decisions.map(
    ({ n, outcome, decided_at, brand_code, brand_words, corrects_id, reason, actor_name, lines }) => ({
      key: `answer-${n}`,
      at: decided_at,
      title:
        corrects_id === null
          ? CLAIM_STATE[outcome].label
          : `Resposta corrigida: ${CLAIM_STATE[outcome].label}`,
      who: actor_name,
      colour: 'evidence',
      facts: [
        ...(lines.length > 0 ? [`Autorizado ${brl(sumOf(lines.map(({ authorised }) => authorised)))}`] : []),
        ...(brand_code ? [`Código da marca: ${brand_code}`] : []),
        ...(brand_words ? [`«${brand_words}»`] : []),
        ...(reason ? [`Motivo da correção: ${reason}`] : []),
      ],
    }),
  )

/** Entries that one person made at once for several lines are one event. */
function entries(claim: ClaimView, onStep: Props['onStep']): LogEvent[] {
  const groups = new Map<string, [EntryView, ...EntryView[]]>()
  for (const entry of claim.entries) {
    const key = [entry.kind, entry.created_at, entry.corrects_id !== null].join()
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  const corrected = new Set(claim.entries.map(({ corrects_id }) => corrects_id))
  const lineNames = new Map(claim.lines.map(({ id, description }) => [id, description]))
  const mayCorrect = claim.steps.includes('correct_entry')
  return [...groups].map(([key, group]) => {
    const [first] = group
    const isReversal = first.corrects_id !== null
    return {
      key,
      at: first.created_at,
      title: `${isReversal ? 'Correção: ' : ''}${ENTRY_KIND[first.kind]} ${brl(sumOf(group.map(({ amount }) => amount)))}`,
      who: first.actor_name,
      colour: 'data',
      facts: [
        `Em ${dayText(first.booked_on)}`,
        ...(first.remittance_id === null ? [] : ['Por demonstrativo importado']),
        ...(first.reason ? [first.reason] : []),
      ],
      aside: mayCorrect && !isReversal && first.kind !== 'carry' && (
        <div className="claim-corrections">
          {group
            .filter(({ id }) => !corrected.has(id))
            .map((entry) => (
              <Button
                key={entry.id}
                size="small"
                text={`Corrigir${group.length > 1 ? ` ${lineNames.get(entry.line_id)}` : ''}`}
                aria-label={`Corrigir ${lineNames.get(entry.line_id)}: ${ENTRY_KIND[entry.kind].toLowerCase()} de ${brl(entry.amount)}`}
                onClick={() => onStep({ kind: 'correction', claim, entry })}
              />
            ))}
        </div>
      ),
    }
  })
}
