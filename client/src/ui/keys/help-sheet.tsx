import { DialogBody } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useId, useSyncExternalStore } from 'react'
import './help-sheet.css'
import { helpSheet } from '../overlay/open-state.ts'
import { helpGroups } from './help-lines.ts'
import { strokeLabels } from './shortcut-keys.ts'
import { areSingleKeysOn, registered, subscribe } from './shortcut-registry.ts'

/** Lists every shortcut that applies here, read from the registry. */
export function HelpSheet() {
  const shortcuts = useSyncExternalStore(subscribe, registered)
  const isOn = useSyncExternalStore(subscribe, areSingleKeysOn)
  return (
    <DialogBody>
      {!isOn && (
        <p className="muted help-off">
          Os atalhos de uma tecla estão desligados. Para ligar: Configurações › Aparência (tema) › Teclado.
        </p>
      )}
      <p className="help-manual">
        <Link to="/ajuda/$page" params={{ page: 'teclado' }} onClick={helpSheet.close}>
          O teclado, passo a passo, na ajuda
        </Link>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
      <div className="help-sheet" tabIndex={0} ref={takeFocus}>
        {helpGroups(shortcuts, isOn).map((group) => (
          <HelpGroup key={group.heading} {...group} />
        ))}
      </div>
    </DialogBody>
  )
}

const takeFocus = (sheet: HTMLDivElement | null) => sheet?.focus({ preventScroll: true })

function HelpGroup({ heading, lines }: ReturnType<typeof helpGroups>[number]) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{heading}</h3>
      <dl>
        {lines.map(({ label, keys }) => (
          <div key={label} className="help-line">
            <dt>{label}</dt>
            <dd>
              {keys.map((one, index) => (
                <Fragment key={one}>
                  {index > 0 && <span className="help-or"> ou </span>}
                  <Keys keys={one} />
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** «g d» is a sequence of two keys. */
const Keys = ({ keys }: { keys: string }) => (
  <span className="help-keys" data-keys={keys}>
    {strokeLabels(keys).map((label, index) => (
      <Fragment key={label}>
        {index > 0 && <span className="visually-hidden"> depois </span>}
        <kbd className="kbd">{label}</kbd>
      </Fragment>
    ))}
  </span>
)
