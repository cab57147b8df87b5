import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERIFIER } from '@garantia/shared/dossier/proof'
import type { Ctx } from '../../../kernel/context.ts'
import { authorityRoots } from '../../../kernel/time-authority.ts'
import { houseKeys, KEYS_PATH } from './keys.ts'

/** Replaced by what the page knows of this house. */
const PLACE = '{"keys":[],"keys_at":null,"authorities":[]}'

/**
 * The page that verifies a dossier, with the public keys of this house in it. Null where the programs were not built
 * (`npm run dev`).
 */
export async function verifierPage(ctx: Ctx): Promise<string | null> {
  const { PROGRAMS_DIR, app_url } = ctx.config
  if (!PROGRAMS_DIR) return null
  const page = await readFile(join(PROGRAMS_DIR, VERIFIER), 'utf8')
  if (!page.includes(PLACE)) throw new Error(`${VERIFIER} has no place for the keys`)
  const known = {
    keys: houseKeys(ctx).map(({ public_key_pem }) => public_key_pem),
    keys_at: app_url + KEYS_PATH,
    authorities: await authorityRoots(ctx.config),
  }
  return page.replace(PLACE, () => JSON.stringify(known).replaceAll('<', '\\u003c'))
}
