import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import './evidence-card.css'

const CARDS = ['a', 'b', 'c', 'd', 'e', 'f']

export const EvidenceSkeleton = () => (
  <div role="status" aria-label="Carregando evidências">
    <div className="evidence-toolbar">
      <Skeleton width={40} />
    </div>
    <div className="evidence-grid">
      {CARDS.map((card) => (
        <div className="evidence-card" key={card}>
          <div className="evidence-thumb" />
          <div className="evidence-text">
            <Skeleton width={40} />
            <Skeleton width={80} />
            <Skeleton width={60} />
          </div>
        </div>
      ))}
    </div>
  </div>
)
