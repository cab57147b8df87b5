import './no-compiling.ts'
import { custodyLines } from '@garantia/shared/dossier/custody'
import { inGroups, keyIdFrom, MANIFEST } from '@garantia/shared/dossier/proof'
import { Unreadable } from '@garantia/shared/dossier/sealed-archive'
import { type Stamp, verifyStamp } from '@garantia/shared/dossier/timestamp'
import { type Verification, verifyDossier } from '@garantia/shared/dossier/verify'
import { z } from 'zod'
import { cryptography } from './cryptography.ts'
import { chosenFrom, chosenFromDrop } from './drop.ts'
import { type Chosen, readDossier } from './read-dossier.ts'
import { stampCryptography } from './stamp-cryptography.ts'
import { factsOf, notProved, PROVED, resultsOf, stampText, verdictOf } from './words.ts'

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
function stampIn({ stamp: answer, bytesOf }: Awaited<ReturnType<typeof readDossier>>): Stamp | null {
  const manifest = bytesOf(MANIFEST)
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
  const results = element('dl', 'results')
  for (const { label, tone, text } of resultsOf(verification, stamp))
    results.append(element('dt', '', label), element('dd', tone, text))
  const isSound = verification.integrity === 'intact' && verification.signer?.trust !== 'stranger'
  const findings = verification.findings.map((finding) => finding.text)
  result.replaceChildren(
    element('div', `verdict ${tone}`, heading, element('p', '', text)),
    results,
    ...(findings.length > 0 ? [element('h3', '', 'O que não confere'), list('findings', findings)] : []),
    ...(stamp?.is_valid
      ? [
          element('h3', '', 'O que diz o carimbo de tempo'),
          ...stampText(stamp).map((sentence) => element('p', '', sentence)),
        ]
      : []),
    ...(verification.manifest
      ? [element('h3', '', isSound ? 'O que foi selado' : 'O que o manifesto diz'), facts]
      : []),
    ...waysOf(verification),
    ...(isSound ? [element('h3', '', 'O que isto prova'), list('', PROVED)] : []),
    ...(verification.integrity === 'changed'
      ? []
      : [element('h3', '', 'O que isto não prova'), list('', notProved(stamp))]),
  )
  result.hidden = false
  heading.focus()
}

/** The way of each file, to be opened: a dossier may have two hundred. */
function waysOf({ manifest, integrity }: Verification): HTMLElement[] {
  const files = integrity === 'changed' ? [] : (manifest?.files ?? [])
  const ways = files.flatMap((file) => {
    const lines = custodyLines(file)
    if (lines.length === 0) return []
    const facts = element('dl', '')
    for (const [label, text] of lines) facts.append(element('dt', '', label), element('dd', '', text))
    return [element('details', '', element('summary', '', file.name), facts)]
  })
  return ways.length === 0 ? [] : [element('h3', '', 'Cadeia de custódia de cada arquivo'), ...ways]
}

function showProblem({ title, message }: Unreadable) {
  const heading = element('h2', '', title)
  heading.tabIndex = -1
  result.replaceChildren(element('div', 'verdict bad', heading, element('p', '', message)))
  result.hidden = false
  heading.focus()
}

let running = 0
/** Verifies what `gather` finds; a newer choice replaces one that is still being read. */
async function verify(gather: () => Promise<Chosen>) {
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
      showProblem(
        error instanceof Unreadable ? error : new Unreadable(`O dossiê não pôde ser lido (${error}).`),
      )
  } finally {
    if (run === running) progress.hidden = true
  }
}

for (const id of ['zip', 'folder']) {
  const input = part(id) as HTMLInputElement
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])]
    input.value = ''
    if (files.length > 0) void verify(() => chosenFrom(files))
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
  const chosen = chosenFromDrop(dataTransfer)
  void verify(() => chosen)
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
