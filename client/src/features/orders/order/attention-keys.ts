import { ATTENTION } from '@garantia/shared/orders/attention'
import { useShortcuts } from '../../../ui/keys/shortcut.ts'

export type AttentionView = { name: string; criteria: (typeof ATTENTION)[number]['criteria'] }

/** The key of each list of «Para hoje», by its label: 1 to 5, as the tiles stand. */
export const ATTENTION_KEYS: ReadonlyMap<string, string> = new Map(
  ATTENTION.map(({ label }, index) => [label, String(index + 1)]),
)

/** Registers these keys. */
export const useAttentionKeys = (show: (view: AttentionView) => void) =>
  useShortcuts(
    ATTENTION.map(({ label, criteria }, index) => ({
      keys: String(index + 1),
      label: `Ver «${label}»`,
      act: () => show({ name: label, criteria }),
    })),
  )
