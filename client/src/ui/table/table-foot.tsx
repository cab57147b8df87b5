import { Button, HTMLSelect } from '@blueprintjs/core'
import { setCompact } from '../../lib/density.ts'

interface Props {
  sizes: readonly number[]
  size: number
  /** Below the smallest size there is nothing to choose. */
  total: number
  onResize: (size: number) => void
  person: number
  isCompact: boolean
}

/** Beside the pages: how many rows each has, and how high they are. */
export function TableFoot({ sizes, size, total, onResize, person, isCompact }: Props) {
  return (
    <div className="table-foot">
      {total > Math.min(...sizes) && (
        <HTMLSelect
          minimal
          aria-label="Linhas por página"
          value={size}
          onChange={(event) => onResize(Number(event.currentTarget.value))}
        >
          {sizes.map((one) => (
            <option key={one} value={one}>
              {one} por página
            </option>
          ))}
        </HTMLSelect>
      )}
      <Button
        className="density-switch"
        variant="minimal"
        size="small"
        text="Linhas compactas"
        active={isCompact}
        aria-pressed={isCompact}
        onClick={() => setCompact(person, !isCompact)}
      />
    </div>
  )
}
