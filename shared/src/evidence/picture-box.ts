import { z } from 'zod'

/** Of a side of the upright picture. */
export const share = z.number('Deve ser um número').min(0, 'Fora da foto').max(1, 'Fora da foto')
/** Place in the upright picture; all four as shares of its sides. */
export const pictureBox = z.object({ left: share, top: share, width: share, height: share })
export type PictureBox = z.output<typeof pictureBox>
