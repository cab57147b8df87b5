import { readConfig } from '@garantia/server/kernel'
import { describe, expect, test } from 'vitest'
import { DOSSIER_KEY, SIGNING_KEY } from '../support/test-app.ts'

const config = (environment: Record<string, string>) =>
  readConfig({ DATABASE_URL: 'postgres://x', SIGNING_KEY, DOSSIER_KEY, ...environment })

describe('S3_* in the environment (D-54, INST-7)', () => {
  const whole = { S3_BUCKET: 'balde', S3_ACCESS_KEY_ID: 'chave', S3_SECRET_ACCESS_KEY: 'segredo' }

  test('without any of them the files are in DATA_DIR', () => {
    expect(config({}).s3).toBeNull()
    expect(config({ S3_BUCKET: '', S3_PREFIX: '' }).s3).toBeNull()
  })

  test('only the bucket is required; the rest has defaults', () => {
    expect(config({ S3_BUCKET: 'balde' }).s3).toEqual({
      bucket: 'balde',
      endpoint: null,
      region: 'us-east-1',
      credentials: null,
      prefix: '',
    })
    expect(config({ ...whole, S3_PREFIX: '/a/b/', S3_REGION: 'sa-east-1' }).s3).toMatchObject({
      credentials: { accessKeyId: 'chave', secretAccessKey: 'segredo' },
      prefix: 'a/b',
      region: 'sa-east-1',
    })
  })

  test.each([
    [{ S3_REGION: 'sa-east-1' }, 'S3_BUCKET é obrigatória quando há S3_REGION'],
    [{ S3_ENDPOINT: 'http://s3.exemplo' }, 'S3_BUCKET é obrigatória quando há S3_ENDPOINT'],
    [{ ...whole, S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY é obrigatória quando há S3_ACCESS_KEY_ID'],
    [{ ...whole, S3_ACCESS_KEY_ID: '' }, 'S3_ACCESS_KEY_ID é obrigatória quando há S3_SECRET_ACCESS_KEY'],
    [{ ...whole, S3_ENDPOINT: 's3.exemplo' }, 'S3_ENDPOINT deve ser um endereço http:// ou https://'],
    [{ ...whole, S3_ENDPOINT: 'ftp://s3.exemplo' }, 'S3_ENDPOINT deve ser um endereço http:// ou https://'],
    [{ ...whole, S3_BUCKET: 'Balde Grande' }, 'S3_BUCKET deve ser o nome de um bucket'],
    [{ ...whole, S3_PREFIX: '../fora' }, 'S3_PREFIX deve ser uma pasta'],
    [{ ...whole, S3_PREFIX: 'peças' }, 'S3_PREFIX deve ser uma pasta'],
  ] as [Record<string, string>, string][])('%o stops the start', (environment, fault) => {
    expect(() => config(environment)).toThrow(fault)
  })

  test('its errors are reported together with the others', () => {
    const wrong = () => config({ S3_PREFIX: 'a', SIGNING_KEY: 'curta' })
    expect(wrong).toThrow(/SIGNING_KEY deve ter[\s\S]*S3_BUCKET é obrigatória/)
  })
})
