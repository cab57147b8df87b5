import { integer } from '@garantia/shared/format'
import { MINE, NOBODY } from '@garantia/shared/orders/criteria'
import { useState } from 'react'
import { useActor } from '../../../lib/actor.ts'
import { trpc } from '../../../lib/trpc.ts'
import { MultiFilter } from '../../../ui/table/multi-filter.tsx'
import { type ListState, listFilter } from './list-state.ts'

const named = (one: string) => one !== MINE && one !== NOBODY

/** Whose orders are listed, with how many open ones each person has. */
export function ResponsibleFilter({ list }: { list: ListState }) {
  const actor = useActor()
  const filter = listFilter(list, 'responsible')
  const [isWanted, setIsWanted] = useState(false)
  const { data } = trpc.orderList.workload.useQuery(undefined, {
    enabled: isWanted || filter.chosen.some(named),
  })
  const me = actor.kind === 'user' ? actor.id : undefined
  const people = data?.people ?? []
  const mine = people.find(({ id }) => id === me)?.open_orders ?? 0
  const others = people.filter(({ id }) => id !== me)
  const unknown = filter.chosen.filter(
    (one) => named(one) && data && !people.some(({ id }) => String(id) === one),
  )
  return (
    <MultiFilter
      label="Responsável"
      all="Todos os responsáveis"
      several={(count) => `${count} responsáveis`}
      onOpen={() => setIsWanted(true)}
      choices={[
        { value: MINE, label: 'Minhas', aside: data && integer(mine) },
        { value: NOBODY, label: 'Sem responsável', aside: data && integer(data.unassigned) },
        ...others.map(({ id, name, open_orders }) => ({
          value: String(id),
          label: name,
          aside: integer(open_orders),
        })),
        ...unknown.map((value) => ({ value, label: 'Outra pessoa', aside: integer(0) })),
      ]}
      {...filter}
    />
  )
}
