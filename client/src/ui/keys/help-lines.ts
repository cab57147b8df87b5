import { isSingleKey } from './shortcut-keys.ts'
import type { Shortcut, ShortcutScope } from './shortcut-registry.ts'

const HEADING: Record<ShortcutScope, string> = {
  screen: 'Nesta tela',
  table: 'Na tabela',
  file: 'No arquivo, no visualizador também',
  viewer: 'No visualizador',
  everywhere: 'Em todo lugar',
}
interface HelpGroup {
  heading: string
  lines: { label: string; keys: string[] }[]
}

/** The registered shortcuts as the help sheet shows them: one line per action, with all its keys. */
export function helpGroups(shortcuts: readonly Shortcut[], withSingleKeys: boolean): HelpGroup[] {
  const order = Object.keys(HEADING) as ShortcutScope[]
  return order.flatMap((scope) => {
    const lines = new Map<string, string[]>()
    for (const one of shortcuts) {
      if (one.scope !== scope || one.layer !== null) continue
      const keys = one.keys.filter((key) => withSingleKeys || !isSingleKey(key))
      const known = lines.get(one.label) ?? []
      if (keys.length > 0) lines.set(one.label, [...known, ...keys.filter((key) => !known.includes(key))])
    }
    return lines.size > 0
      ? [{ heading: HEADING[scope], lines: [...lines].map(([label, keys]) => ({ label, keys })) }]
      : []
  })
}
