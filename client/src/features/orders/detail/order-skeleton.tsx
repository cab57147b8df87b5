import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const WIDTHS = [
  [62, 40, 48],
  [70, 55, 44],
  [90, 84, 60],
  [36, 42, 50],
]

/** Same layout as the loaded screen, so that nothing shifts. */
export const OrderSkeleton = () => (
  <div role="status" aria-label="Carregando ordem de serviço">
    <div className="order-skeleton-head">
      <Skeleton width={18} />
      <Skeleton width={30} />
    </div>
    <div className="order-facts">
      {WIDTHS.map((widths) => (
        <div className="order-card" key={widths.join()}>
          {widths.map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  </div>
)
