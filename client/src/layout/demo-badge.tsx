import type { MeView } from '@garantia/shared/users/schema'
import { trpc } from '../lib/trpc.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import './demo-badge.css'

const AGAIN_MS = 4_000
const ABOUT = 'Empresas, pessoas e OS são inventadas. Para remover tudo: npm run worker -- remover-demo'

/** Marks a demonstration, with the progress while its data are being generated. */
export function DemoBadge({ me }: { me: MeView }) {
  const { data: demo } = trpc.demo.read.useQuery(undefined, {
    enabled: me.is_demonstration,
    refetchInterval: ({ state }) => (state.data && !state.data.is_filled ? AGAIN_MS : false),
  })
  if (!me.is_demonstration) return null
  return (
    <div className="demo-badge">
      <Badge colour="turquoise" isOutlined title={ABOUT}>
        Demonstração
      </Badge>
      {demo && !demo.is_filled && (
        <span className="demo-badge-progress muted numeric">
          {demo.orders} de {demo.orders_planned} OS
        </span>
      )}
    </div>
  )
}
