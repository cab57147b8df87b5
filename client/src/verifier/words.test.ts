import type { ValidStamp } from '@garantia/shared/dossier/timestamp'
import type { Verification } from '@garantia/shared/dossier/verify'
import { expect, test } from 'vitest'
import { resultsOf, stampText, verdictOf } from './words.ts'

const SEALED_AT = '2026-11-24T12:00:00.000Z'
const KEY = '10b4878ec738a8965e438bd6dceca4e4'
const verification = (fields: Partial<Verification> = {}): Verification => ({
  integrity: 'intact',
  findings: [],
  manifest: { sealed_at: SEALED_AT } as Verification['manifest'],
  manifest_sha256: 'ab'.repeat(32),
  signer: { key_id: KEY, trust: 'house' },
  ...fields,
})
const stamp = (fields: Partial<ValidStamp> = {}): ValidStamp => ({
  is_valid: true,
  at: '2026-11-24T12:00:05.000Z',
  accuracy_seconds: 1,
  authority: 'Carimbo',
  root: 'Raiz',
  is_pinned: true,
  expired_at: null,
  ...fields,
})
/** Tones by result, and that of the whole. */
function tones(...[judged, answer]: Parameters<typeof resultsOf>) {
  const results = resultsOf(judged, answer).map(({ tone }) => tone)
  return [...results, verdictOf(judged, answer).tone].join(' ')
}
const ofStamp = (answer: ValidStamp) => resultsOf(verification(), answer)[2]?.text

test('a stamp counts as trusted only when its authority is one that the house has fixed', () => {
  expect(tones(verification(), stamp())).toBe('good good good good')
  for (const [is_pinned, words] of [
    [null, 'Autoridade não conferida'],
    [false, 'Autoridade desconhecida'],
  ] as const) {
    const other = stamp({ is_pinned })
    expect(tones(verification(), other)).toBe('good good warning warning')
    expect(ofStamp(other)).toContain(words)
    expect(verdictOf(verification(), other).title).toContain('falta conferir a autoridade do carimbo')
    expect(stampText(other).join()).toContain('só prova a hora para quem confere de outro modo')
  }
})

test('a stamp of another time than the sealing is named', () => {
  expect(ofStamp(stamp({ at: '2026-11-25T11:59:00.000Z' }))).not.toMatch(/hora/)
  for (const [at, words] of [
    ['2026-11-25T12:01:00.000Z', 'Veio tarde'],
    ['2026-11-24T11:50:00.000Z', 'A hora não confere'],
  ] as const) {
    expect(ofStamp(stamp({ at }))).toContain(words)
    expect(tones(verification(), stamp({ at }))).toBe('good good warning warning')
  }
})

test('who has signed is another question than whether something was changed', () => {
  const by = (trust: 'stranger' | 'unknown') => verification({ signer: { key_id: KEY, trust } })
  expect(tones(by('stranger'), null)).toBe('good bad good bad')
  expect(tones(by('unknown'), null)).toBe('good warning good warning')
  const findings = [{ kind: 'altered' as const, name: 'placa.jpg', text: 'placa.jpg foi alterado.' }]
  expect(tones(verification({ integrity: 'changed', findings }), null)).toBe('bad good good bad')
  expect(tones(verification({ integrity: 'unsigned', signer: null }), null)).toBe(
    'warning warning good warning',
  )
})
