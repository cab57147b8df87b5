import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { SECURITY_KIND } from '@garantia/shared/audit/security'
import { ACCESS_KINDS } from '@garantia/shared/privacy/access'
import { getRouteApi } from '@tanstack/react-router'
import { Field } from '../../../ui/form/field.tsx'
import { useDebouncedText } from '../../../ui/table/debounced-text.ts'
import { PeriodForm } from '../../orders/dashboard/period-form.tsx'
import { AccessList } from './access-list.tsx'

const route = getRouteApi('/app/lgpd')

/** The access log of the whole house, by order, person, kind and period; the filter is in the address. */
export function AccessTab() {
  const { os = '', pessoa = '', tipo, start_date, end_date } = route.useSearch()
  const navigate = route.useNavigate()
  const filterBy = (change: Record<string, string | undefined>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const [typedOrder, setTypedOrder] = useDebouncedText(os, (text) => filterBy({ os: text || undefined }))
  const [typedPerson, setTypedPerson] = useDebouncedText(pessoa, (text) =>
    filterBy({ pessoa: text || undefined }),
  )
  const kind = ACCESS_KINDS.find((one) => one === tipo)
  const isFiltered = Boolean(os || pessoa || kind || start_date || end_date)
  const clear = () =>
    filterBy({
      os: undefined,
      pessoa: undefined,
      tipo: undefined,
      start_date: undefined,
      end_date: undefined,
    })
  return (
    <AccessList
      label="Acessos"
      filter={{
        ...(os && { os_number: os.slice(0, 6) }),
        ...(pessoa && { person: pessoa.slice(0, 100) }),
        ...(kind && { kind }),
        ...(start_date && { start_date }),
        ...(end_date && { end_date }),
      }}
      onClear={isFiltered ? clear : undefined}
      empty="Aqui aparece quem consultou, baixou, exportou ou revelou dados de clientes."
      actions={
        <div className="access-top">
          <Field label="OS">
            {(control) => (
              <InputGroup
                {...control}
                value={typedOrder}
                inputMode="numeric"
                maxLength={6}
                onChange={(event) => setTypedOrder(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Pessoa">
            {(control) => (
              <InputGroup
                {...control}
                value={typedPerson}
                maxLength={100}
                onChange={(event) => setTypedPerson(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Tipo">
            {(control) => (
              <HTMLSelect
                {...control}
                fill
                value={kind ?? ''}
                onChange={(event) => filterBy({ tipo: event.currentTarget.value || undefined })}
              >
                <option value="">Todos os tipos</option>
                {ACCESS_KINDS.map((one) => (
                  <option key={one} value={one}>
                    {SECURITY_KIND[one]}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </Field>
          <PeriodForm
            period={{ start_date: start_date ?? '', end_date: end_date ?? '' }}
            onChange={(period) =>
              filterBy({
                start_date: period.start_date || undefined,
                end_date: period.end_date || undefined,
              })
            }
          />
        </div>
      }
    />
  )
}
