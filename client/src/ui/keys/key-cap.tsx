import { useShowsKey } from './key-hint.ts'
import { strokeLabels } from './shortcut-keys.ts'

/** The keys of a control, shown on it: nothing where `useKeyHint` would not name them either. */
export function KeyCap({ keys, className = '' }: { keys: string; className?: string }) {
  const showsKey = useShowsKey()
  if (!showsKey(keys)) return null
  return strokeLabels(keys).map((label) => (
    <kbd key={label} className={`kbd ${className}`.trim()}>
      {label}
    </kbd>
  ))
}
