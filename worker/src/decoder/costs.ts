import { constants } from 'node:os'
import type { FileType } from '@garantia/shared/evidence/formats'
import type { Limits } from './sandbox.ts'

const { PRIORITY_BELOW_NORMAL } = constants.priority

/** Reading has processes of its own: its models stay in memory, which no conversion needs. */
export type Kind = FileType | 'reading'

/**
 * What a file of each type may cost, and seconds by the clock until it is refused, also on a busy machine. What is read
 * in a photo can be typed meanwhile: its process gets a processor when no other one wants it.
 */
export const COSTS: Record<Kind, Limits & { seconds: number; priority?: number }> = {
  image: { memory: 1_200_000_000, file: 1_000_000_000, cpu_seconds: 600, seconds: 300 },
  video: { memory: 2_000_000_000, file: 8_000_000_000, cpu_seconds: 7_200, seconds: 40 * 60 },
  pdf: { memory: 512_000_000, file: 1_000_000_000, cpu_seconds: 60, seconds: 180 },
  document: { memory: 256_000_000, file: 1_000_000_000, cpu_seconds: 30, seconds: 60 },
  reading: {
    memory: 600_000_000,
    file: 1_000_000_000,
    cpu_seconds: 600,
    seconds: 600,
    priority: PRIORITY_BELOW_NORMAL,
  },
}
