import { expect, test } from 'vitest'

interface Verdict {
  code: number
  lines: string[]
}
// The launcher is plain JavaScript: it runs before anything is installed.
const launcher = new URL('../server/launch/supply-chain.mjs', import.meta.url)
const { verdictOn }: { verdictOn: (out: string, err?: string) => Verdict } = await import(launcher.href)

const metadata = { totalDependencies: 679 }

test('no advisory, some, and an unasked registry are told apart, by words and by exit code', () => {
  expect(verdictOn(JSON.stringify({ advisories: {}, metadata }))).toEqual({
    code: 0,
    lines: ['Nenhum aviso conhecido sobre 679 pacotes.'],
  })
  const sharp = {
    module_name: 'sharp',
    severity: 'high',
    title: 'Heap overflow',
    url: 'https://github.com/advisories/GHSA-x',
    vulnerable_versions: '<0.36',
    findings: [{ version: '0.35.5', paths: ['worker>sharp'] }],
  }
  expect(verdictOn(JSON.stringify({ advisories: { 1: sharp }, metadata }))).toEqual({
    code: 4,
    lines: [
      'Avisos conhecidos: 1.',
      '  high  sharp <0.36: Heap overflow',
      '    0.35.5 por worker>sharp',
      '    https://github.com/advisories/GHSA-x',
    ],
  })
})

test.each([
  [
    'a registry that refuses',
    JSON.stringify({ error: { message: 'responded with 405' } }),
    '',
    'responded with 405',
  ],
  ['no answer', '', 'npm error code ENOTFOUND', 'npm error code ENOTFOUND'],
  ['half an answer', '{"advisories":{', '', '{"advisories":{'],
  ['an answer of another form', '[]', '', '[]'],
])('%s is no «none known»', (_, out, err, reason) => {
  expect(verdictOn(out, err)).toEqual({
    code: 1,
    lines: ['O registro não pôde ser consultado: nada se sabe.', reason],
  })
})
