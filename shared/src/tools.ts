import { z } from 'zod'

/** Versions of the product and of what decodes and encodes files for it; null for what is not there. */
export const toolVersions = z.object({
  garantia: z.string(),
  ffmpeg: z.string().nullable(),
  sharp: z.string(),
  libvips: z.string().nullable(),
})
export type ToolVersions = z.output<typeof toolVersions>
