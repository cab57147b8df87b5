import { Button } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import { KeyCap } from '../../ui/keys/key-cap.tsx'
import { useKeyHint } from '../../ui/keys/key-hint.ts'
import { palette } from '../../ui/overlay/open-state.ts'

/** Button that opens the palette. */
export function PaletteButton({ isWide = false }: { isWide?: boolean }) {
  const hint = useKeyHint()
  return (
    <Button
      className={isWide ? 'palette-button is-wide' : 'palette-button'}
      variant={isWide ? 'outlined' : 'minimal'}
      icon={<SearchIcon />}
      // The wide button is named by its text while there is room for it.
      aria-label={isWide ? undefined : 'Buscar OS ou ação'}
      {...hint('Buscar OS ou ação', 'mod+k')}
      onClick={palette.open}
    >
      {isWide && (
        <>
          <span className="sidebar-label">
            Buscar<span className="visually-hidden"> OS ou ação</span>
          </span>
          <KeyCap keys="mod+k" className="sidebar-label" />
        </>
      )}
    </Button>
  )
}
