import { z } from 'zod'

/** Progress of a demonstration; absent in an installation with real data. */
export const demoView = z.object({
  /** Invented orders created so far, out of `orders_planned`. */
  orders: z.number(),
  orders_planned: z.number(),
  is_filled: z.boolean(),
})
export type DemoView = z.output<typeof demoView>

export const REAL_DATA =
  'Este banco já tem dados. A demonstração só preenche um banco vazio: aponte DATA_DIR para outra pasta (por exemplo, DATA_DIR=demo npm start -- --demo).'
export const NO_DEMO = 'Este banco não é uma demonstração: nada foi removido.'
