import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { MultiFilter } from '../../../ui/table/multi-filter.tsx'

interface Props {
  /** Ids. */
  chosen: readonly string[]
  onChange: (values: string[], isFirst: boolean) => void
}

/** Shown only when there is more than one company to choose from, or one is chosen. */
export function CompanyFilter({ chosen, onChange }: Props) {
  const actor = useActor()
  const seesMany = actor.kind === 'user' && (actor.scope === 'all' || actor.scope.length > 1)
  const companies = trpc.companies.list.useQuery({ limit: 100 }, { enabled: seesMany, staleTime: 60_000 })
  const listed = companies.data?.data ?? []
  // An address may name a company beyond the first hundred, or one that is not the person's.
  const missing = chosen.filter((one) => companies.data && !listed.some(({ id }) => String(id) === one))
  const other = trpc.companies.one.useQuery({ id: Number(missing[0]) }, { enabled: missing.length === 1 })
  if (chosen.length === 0 && (!seesMany || (companies.data && companies.data.count < 2))) return null
  return (
    <MultiFilter
      label="Empresa"
      all="Todas as empresas"
      several={(count) => `${count} empresas`}
      choices={[
        ...missing.map((value) => ({ value, label: other.data?.trading_name ?? 'Outra empresa' })),
        ...listed.map(({ id, trading_name }) => ({ value: String(id), label: trading_name })),
      ]}
      chosen={chosen}
      onChange={onChange}
    />
  )
}
