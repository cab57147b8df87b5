import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ruleViolation } from '@garantia/shared/errors'
import { z } from 'zod'
import type { Config } from '../../../kernel/config.ts'
import { secretsKey } from './manifest.ts'
import { type Place, putVerified } from './place.ts'

const MAGIC = Buffer.from('GARSEG1\n')
const [SALT, NONCE, TAG] = [16, 12, 16]
/** 64 MB and about a third of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }

const keys = z.object({
  signing_key: z.string(),
  previous_signing_keys: z.array(z.string()),
  retired_signing_keys: z.array(z.string()),
  dossier_key: z.string(),
  previous_dossier_keys: z.array(z.string()),
})
/** The keys without which what the database holds can be neither decrypted nor verified. */
export type HouseKeys = z.infer<typeof keys>

export const keysOf = (config: Config): HouseKeys => ({
  signing_key: config.SIGNING_KEY,
  previous_signing_keys: config.SIGNING_KEY_PREVIOUS,
  retired_signing_keys: config.SIGNING_KEY_RETIRED,
  dossier_key: config.DOSSIER_KEY,
  previous_dossier_keys: config.DOSSIER_KEY_PREVIOUS,
})

const keyFrom = (passphrase: string, salt: Buffer) => scryptSync(passphrase.normalize('NFC'), salt, 32, COST)

/** Encrypts under a passphrase: scrypt, then AES in GCM with a key of 256 bits. */
export function encrypt(secret: HouseKeys, passphrase: string) {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)]
  const cipher = createCipheriv('aes-256-gcm', keyFrom(passphrase, salt), nonce).setAAD(MAGIC)
  const body = Buffer.concat([cipher.update(JSON.stringify(secret)), cipher.final()])
  return Buffer.concat([MAGIC, salt, nonce, cipher.getAuthTag(), body])
}

/** Throws AppError `rule` for another passphrase and for changed bytes, which cannot be told apart. */
export function decrypt(stored: Buffer, passphrase: string): HouseKeys {
  const [salt, nonce] = [MAGIC.length + SALT, MAGIC.length + SALT + NONCE]
  const tag = nonce + TAG
  try {
    const key = keyFrom(passphrase, stored.subarray(MAGIC.length, salt))
    const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(salt, nonce))
      .setAAD(MAGIC)
      .setAuthTag(stored.subarray(nonce, tag))
    const text = Buffer.concat([decipher.update(stored.subarray(tag)), decipher.final()])
    return keys.parse(JSON.parse(text.toString()))
  } catch (error) {
    throw ruleViolation(
      'BACKUP_PASSPHRASE não abre os segredos deste backup: a senha é outra, ou eles foram alterados.',
      {
        cause: error,
      },
    )
  }
}

/** Returns the digest of what was stored. */
export async function storeSecrets(place: Place, id: string, secret: HouseKeys, passphrase: string) {
  return place.within(async (dir) => {
    const path = join(dir, 'secrets')
    await writeFile(path, encrypt(secret, passphrase), { mode: 0o600 })
    return putVerified(place, secretsKey(id), path)
  })
}

export const readSecretsOf = async (place: Place, id: string, passphrase: string) =>
  decrypt(await buffer(await place.storage.read(secretsKey(id))), passphrase)
