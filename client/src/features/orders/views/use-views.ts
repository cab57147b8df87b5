import type { View, ViewList } from '@garantia/shared/views/schema'
import { trpc } from '../../../lib/trpc.ts'

/** All views of a list, and the one that it currently shows. */
export function useViews(list: ViewList, builtIn: readonly View[], isShown: (view: View) => boolean) {
  const saved = trpc.savedViews.list.useQuery({ list }, { staleTime: 60_000 })
  const views = saved.data ?? []
  const mine = views.filter(({ is_mine }) => is_mine)
  const others = views.filter(({ is_mine }) => !is_mine)
  const used = [...builtIn, ...mine, ...others].find(isShown)
  return { list, builtIn, mine, others, used }
}
export type Views = ReturnType<typeof useViews>
