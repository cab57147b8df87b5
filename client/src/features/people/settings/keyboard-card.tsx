import { Button, Switch } from '@blueprintjs/core'
import type { MeView } from '@garantia/shared/users/schema'
import { useId } from 'react'
import { setSingleKeys, useSingleKeys } from '../../../lib/single-keys.ts'
import { helpSheet } from '../../../ui/overlay/open-state.ts'
import '../../../ui/form/toggles.css'

/** Single-key shortcuts can be switched off (WCAG 2.1.4): speech input triggers them by accident. */
export function KeyboardCard({ me }: { me: MeView }) {
  const id = useId()
  const isOn = useSingleKeys(me.id)
  return (
    <section className="settings-card panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Teclado</h2>
      <div className="field toggle-field">
        <Switch
          className="toggle"
          role="switch"
          label="Atalhos de uma tecla"
          aria-describedby={`${id}-help`}
          checked={isOn}
          onChange={({ currentTarget }) => setSingleKeys(me.id, currentTarget.checked)}
        />
        <div id={`${id}-help`} className="field-help">
          Letras e sinais sozinhos, como j, n e /. Setas, Enter e combinações como Ctrl+K valem sempre. A
          escolha é sua e deste aparelho.
        </div>
      </div>
      <div className="settings-actions">
        <Button text="Ver todos os atalhos" onClick={helpSheet.open} />
      </div>
    </section>
  )
}
