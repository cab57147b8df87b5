import { trpc } from '../lib/trpc.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import './demo-state.css'

const AGAIN_MS = 4_000
const ABOUT = 'Empresas, pessoas e OS são inventadas. Para remover tudo: npm run worker -- remover-demo'

/** Says that everything is invented, with the progress while it is being generated. */
export function DemoState() {
  const { data: demo } = trpc.demo.read.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data && !state.data.is_filled ? AGAIN_MS : false),
  })
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
