import { Button, Callout } from '@blueprintjs/core'
import { sumOf } from '@garantia/shared/claims/money'
import { brl, counted, date, dayIn, isoDay } from '@garantia/shared/format'
import { useEffect, useRef, useState } from 'react'
import { readDraft, useDraft, useDraftKey } from '../../../lib/drafts.ts'
import { messageOf } from '../../../lib/messages.ts'
import { trpc } from '../../../lib/trpc.ts'
import { toast } from '../../../ui/feedback/toaster.tsx'
import { useShortcut } from '../../../ui/keys/shortcut.ts'
import { submitting, usePress } from '../../../ui/press.ts'
import { BookingFields } from './booking-fields.tsx'
import { OwnerFields, useOwnCompany } from './owner-fields.tsx'
import { RemittanceCounts } from './remittance-counts.tsx'
import { TypedGrid } from './typed-grid.tsx'
import { compacted, isBlank, readTyped, type TypedRow, withBlank } from './typed-lines.ts'

interface Typed {
  company: string
  brand: string
  rows: TypedRow[]
  number: string
  paidOn: string
}
const fresh = (): Typed => ({
  company: '',
  brand: '',
  rows: withBlank([]),
  number: '',
  paidOn: date(new Date()),
})
const hasContent = ({ rows, number }: Typed) => number !== '' || rows.some((row) => !isBlank(row))

/** A remittance that came on paper: its lines are typed, compared with the claims, and booked. */
export function TypedTab({ onBooked }: { onBooked: (id: number) => void }) {
  const key = useDraftKey('typed-remittance')
  const [found] = useState(() => readDraft<Typed>(key))
  const [typed, setTyped] = useState<Typed>(() => found ?? fresh())
  const { rows, brand, number, paidOn } = typed
  const company = useOwnCompany(typed.company)
  const isDirty = hasContent(typed)
  const draft = useDraft(key, isDirty, () => typed)
  // What is typed outlasts a look at another tab or screen too.
  useEffect(() => {
    if (isDirty) draft.handOver()
    else draft.discard()
  })
  useEffect(() => {
    if (found)
      toast.info({ title: 'Rascunho recuperado.', description: 'O que você tinha digitado está de volta.' })
  }, [found])
  const [wasTried, setWasTried] = useState(false)
  const utils = trpc.useUtils()
  const check = trpc.remittances.checkTyped.useMutation()
  const type = trpc.remittances.type.useMutation({
    onSuccess({ id }) {
      draft.markSaved()
      void utils.remittances.invalidate()
      void utils.claims.invalidate()
      void utils.claimList.invalidate()
      onBooked(id)
    },
  })
  const { lines, problems } = readTyped(rows)
  const owner = { company_id: Number(company), brand_id: Number(brand) }
  const hasOwner = company !== '' && brand !== ''
  const day = dayIn(paidOn)
  const change = (some: Partial<Typed>) => setTyped((now) => ({ ...now, ...some }))
  const compareAnew = (some: Partial<Typed>) => {
    change(some)
    check.reset()
    type.reset()
  }
  const checking = usePress(() => {
    setWasTried(true)
    // Numbers of lines are those of the report.
    change({ rows: compacted(rows) })
    return hasOwner && lines.length > 0 && problems.length === 0 && check.mutateAsync({ ...owner, lines })
  })
  const booking = usePress(
    () => day && type.mutateAsync({ ...owner, lines, number: number.trim() || null, paid_on: isoDay(day) }),
  )
  const matched = check.data?.outcomes.matched ?? 0
  const bookText =
    matched > 0 ? `Lançar ${counted(matched, 'pagamento', 'pagamentos')}` : 'Guardar as divergências'
  useShortcut('mod+enter', check.data ? booking.press : checking.press, {
    worksInFields: true,
    label: check.data ? bookText : 'Conferir',
  })
  const heading = useRef<HTMLHeadingElement>(null)
  const report = check.data
  useEffect(() => {
    if (report) heading.current?.focus()
  }, [report])
  return (
    <div className="import-steps">
      <form
        className="panel import-panel"
        aria-label="Digitar demonstrativo"
        onSubmit={submitting(checking.press)}
      >
        <div className="form-grid is-stacked-narrow">
          <OwnerFields
            company={company}
            brand={brand}
            onCompany={(company) => compareAnew({ company })}
            onBrand={(brand) => compareAnew({ brand })}
          />
        </div>
        <p className="muted">
          Informe o número que a marca deu ou a OS com o final do chassi, e o valor. Um valor negativo é um
          estorno. Células copiadas de uma planilha podem ser coladas.
        </p>
        <TypedGrid
          rows={rows}
          problems={wasTried ? problems : []}
          report={report}
          onRows={(change) => {
            setTyped((now) => ({ ...now, rows: change(now.rows) }))
            check.reset()
            type.reset()
          }}
        />
        {check.error && (
          <Callout compact intent="danger" role="alert">
            {messageOf(check.error)}
          </Callout>
        )}
        {wasTried && problems.length > 0 && (
          <p className="field-error" role="alert">
            {counted(problems.length, 'linha precisa', 'linhas precisam')} de correção.
          </p>
        )}
        <div className="import-actions">
          <Button
            type="submit"
            intent={report ? 'none' : 'primary'}
            text="Conferir"
            disabled={!hasOwner || (lines.length === 0 && problems.length === 0)}
            loading={checking.isBusy}
          />
          <span className="muted numeric">
            {counted(lines.length, 'linha', 'linhas')}, {brl(sumOf(lines.map(({ amount }) => amount)))}.{' '}
            {hasOwner ? 'Nada é lançado antes da conferência.' : 'Escolha a empresa e a marca.'}
          </span>
          {isDirty && (
            <Button
              className="import-other"
              variant="minimal"
              text="Recomeçar"
              onClick={() => {
                compareAnew({ ...fresh(), company: typed.company, brand })
                setWasTried(false)
              }}
            />
          )}
        </div>
      </form>
      {report && (
        <section className="panel import-panel" aria-labelledby="typed-check">
          <h2 id="typed-check" ref={heading} tabIndex={-1}>
            Conferência
          </h2>
          <RemittanceCounts report={report} />
          {report.outcomes.matched < report.lines && (
            <p className="muted">
              As linhas que não conferem não são lançadas: esperam por uma decisão em Divergências.
            </p>
          )}
          <BookingFields
            number={number}
            paidOn={paidOn}
            wrongDay={day ? undefined : 'Informe uma data válida, dd/mm/aaaa'}
            onNumber={(number) => change({ number })}
            onPaidOn={(paidOn) => change({ paidOn })}
          />
          {type.error && (
            <Callout compact intent="danger" role="alert">
              {messageOf(type.error)}
            </Callout>
          )}
          <div className="import-actions">
            <Button
              intent="primary"
              text={bookText}
              disabled={!day}
              loading={booking.isBusy}
              onClick={booking.press}
            />
          </div>
        </section>
      )}
    </div>
  )
}
