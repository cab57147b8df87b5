import { bytes } from '@garantia/shared/format'

/** How much of the brand's limit the converted files take; what they take is never more (D-19, D-21). */
export function PackageMeter({ used, limit }: { used: number; limit: number }) {
  const text = `${bytes(used)} de ${bytes(limit)}`
  return (
    <div className="package-meter">
      <span className="package-meter-label">
        Pacote <strong className="numeric">{text}</strong>
      </span>
      <meter min={0} max={limit} high={limit * 0.9} optimum={0} value={used} aria-label="Tamanho do pacote">
        {text}
      </meter>
    </div>
  )
}
