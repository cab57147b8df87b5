import { bytes } from '@garantia/shared/format'

/**
 * Share of the brand's package limit used by the converted files; conversions never exceed it (D-19, D-21).
 */
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
