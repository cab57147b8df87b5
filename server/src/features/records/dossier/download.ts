import { STAMP } from '@garantia/shared/dossier/proof'
import { DOSSIER_MIME } from '@garantia/shared/dossier/schema'
import type { StoredObject } from '../../../kernel/storage/storage.ts'
import type { DossierFileRow } from './queries.ts'

/** A stored part of a dossier with the name that its download has. */
export const downloadOf = (
  os_number: string,
  n: number,
  { part, key, size, sha256 }: DossierFileRow,
): StoredObject => ({
  key,
  filename: `os_${os_number}_dossie_${n}${part === 'tsr' ? `_${STAMP}` : `.${part}`}`,
  mime: DOSSIER_MIME[part],
  size,
  etag: `"${sha256}"`,
})
