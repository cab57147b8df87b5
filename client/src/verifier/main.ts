import './no-compiling.ts'
import { custodyLines } from '@garantia/shared/dossier/custody'
import { inGroups, keyIdFrom, MANIFEST, STAMP } from '@garantia/shared/dossier/proof'
import { type Stamp, verifyStamp } from '@garantia/shared/dossier/timestamp'
import { type DossierContents, type Verification, verifyDossier } from '@garantia/shared/dossier/verify'
import { z } from 'zod'
import { cryptography } from './cryptography.ts'
import { sourcesOf, sourcesOfDrop } from './drop.ts'
import { readDossier, type Source, Unreadable } from './read-dossier.ts'
import { stampCryptography } from './stamp-cryptography.ts'
import { factsOf, notProved, PROVED, stampText, verdictOf } from './words.ts'

document.documentElement.classList.toggle('bp6-dark', matchMedia('(prefers-color-scheme: dark)').matches)

const known = z
  .object({ keys: z.array(z.string()), keys_at: z.string().nullable(), authorities: z.array(z.string()) })
  .parse(JSON.parse(part('known').textContent ?? ''))

const [drop, progress, bar, reading, result] = [
  part('drop'),
  part('progress'),
  part('bar') as HTMLProgressElement,
  part('reading'),
  part('result'),
]

function part(id: string) {
  const found = document.getElementById(id)
  if (!found) throw new Error(`no #${id}`)
  return found
}

function element(name: string, className: string, ...children: (string | Node)[]) {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

const list = (className: string, texts: readonly string[]) =>
  element('ul', className, ...texts.map((text) => element('li', '', text)))

/** What the stamp beside the manifest proves; null without one. */
function stampIn({ bytesOf }: DossierContents): Stamp | null {
  const [answer, manifest] = [bytesOf(STAMP), bytesOf(MANIFEST)]
  if (!answer || !manifest) return null
  const sha256 = stampCryptography.digest('SHA-256', manifest)
  return verifyStamp(answer, { sha256, roots: known.authorities, now: new Date() }, stampCryptography)
}

function show(verification: Verification, stamp: Stamp | null) {
  const { tone, title, text } = verdictOf(verification, stamp)
  const heading = element('h2', '', title)
  heading.tabIndex = -1
  const facts = element('dl', '')
  for (const [label, value] of factsOf(verification))
    facts.append(element('dt', '', label), element('dd', '', value))
  const isSound = verification.verdict === 'whole'
  const findings = verification.findings.map((finding) => finding.text)
  result.replaceChildren(
    element('div', `verdict ${tone}`, heading, element('p', '', text)),
    ...(findings.length > 0 ? [element('h3', '', 'O que não confere'), list('findings', findings)] : []),
    ...(verification.manifest && stamp
      ? [
          element('h3', '', 'Carimbo de tempo'),
          ...stampText(stamp).map((sentence) => element('p', stamp.is_valid ? '' : 'bad-stamp', sentence)),
        ]
      : []),
    ...(verification.manifest
      ? [element('h3', '', isSound ? 'O que foi selado' : 'O que o manifesto diz'), facts]
      : []),
    ...waysOf(verification),
    ...(isSound ? [element('h3', '', 'O que isto prova'), list('', PROVED)] : []),
    ...(verification.verdict === 'broken'
      ? []
      : [element('h3', '', 'O que isto não prova'), list('', notProved(stamp))]),
  )
  result.hidden = false
  heading.focus()
}

/** The way of each file, to be opened: a dossier may have two hundred. */
function waysOf({ manifest, verdict }: Verification): HTMLElement[] {
  const files = verdict === 'broken' ? [] : (manifest?.files ?? [])
  const ways = files.flatMap((file) => {
    const lines = custodyLines(file)
    if (lines.length === 0) return []
    const facts = element('dl', '')
    for (const [label, text] of lines) facts.append(element('dt', '', label), element('dd', '', text))
    return [element('details', '', element('summary', '', file.name), facts)]
  })
  return ways.length === 0 ? [] : [element('h3', '', 'Cadeia de custódia de cada arquivo'), ...ways]
}

function showProblem(text: string) {
  const heading = element('h2', '', 'Não foi possível conferir')
  heading.tabIndex = -1
  result.replaceChildren(element('div', 'verdict bad', heading, element('p', '', text)))
  result.hidden = false
  heading.focus()
}

let running = 0
/** Verifies what `gather` finds; a newer choice replaces one that is still being read. */
async function verify(gather: () => Promise<Source[]>) {
  const run = ++running
  result.hidden = true
  progress.hidden = false
  bar.value = 0
  reading.textContent = 'Lendo…'
  try {
    const read = await readDossier(await gather(), (fraction, name) => {
      if (run !== running) throw new Unreadable('Outra escolha foi feita.')
      bar.value = fraction
      reading.textContent = `Lendo ${name}: ${Math.floor(fraction * 100)} %`
    })
    if (run === running) show(verifyDossier(read, known.keys, cryptography), stampIn(read))
  } catch (error) {
    if (run === running)
      showProblem(error instanceof Unreadable ? error.message : `O dossiê não pôde ser lido (${error}).`)
  } finally {
    if (run === running) progress.hidden = true
  }
}

for (const id of ['zip', 'folder']) {
  const input = part(id) as HTMLInputElement
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length > 0) void verify(() => sourcesOf(files))
  })
}
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  drop.classList.add('over')
})
document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) drop.classList.remove('over')
})
document.addEventListener('drop', (event) => {
  event.preventDefault()
  drop.classList.remove('over')
  const { dataTransfer } = event
  if (!dataTransfer) return
  // The browser empties the transfer once the event has been handled.
  const sources = sourcesOfDrop(dataTransfer)
  void verify(() => sources)
})

function describeHouse() {
  const ids = known.keys.map((pem) => {
    const base64 = pem.split('\n')[1] ?? ''
    return inGroups(keyIdFrom(cryptography.sha256(cryptography.decodeBase64(base64))))
  })
  if (ids.length === 0) return
  const label =
    ids.length === 1 ? 'Chave da casa que fez esta página:' : 'Chaves da casa que fez esta página:'
  part('house').append(
    element('p', '', label),
    list('keys', ids),
    element('p', '', `Publicadas em ${known.keys_at}. Compare-as com as do relatório em PDF.`),
  )
}
describeHouse()
