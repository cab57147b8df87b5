import type { MeView } from '@garantia/shared/users/schema'
import { setTheme, type Theme, useTheme } from '../../../lib/theme.ts'
import { KeyboardCard } from './keyboard-card.tsx'

const THEMES: readonly { theme: Theme; label: string; description: string }[] = [
  { theme: 'dark', label: 'Escuro', description: 'O padrão' },
  { theme: 'light', label: 'Claro', description: 'Para ambientes com muita luz' },
]

/** SET-10: the choice is stored in this browser and outlives the session. */
export function ThemeTab({ me }: { me: MeView }) {
  const current = useTheme()
  return (
    <div className="settings">
      <fieldset className="settings-card theme-choice panel">
        <legend className="visually-hidden">Tema</legend>
        {THEMES.map(({ theme, label, description }) => (
          <label key={theme} className="theme-option">
            <span className={`theme-sample bp6-${theme}`} aria-hidden="true">
              <span />
              <span />
            </span>
            <span className="theme-text">
              <input
                type="radio"
                name="theme"
                value={theme}
                checked={current === theme}
                onChange={() => setTheme(theme)}
              />
              <span>
                <strong>{label}</strong>
                <span className="muted">{description}</span>
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <KeyboardCard me={me} />
    </div>
  )
}
