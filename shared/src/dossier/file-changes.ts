/** A file of a dossier as it was found. */
export interface HashedFile {
  name: string
  /** In hexadecimal. */
  sha256: string
}

/** Something that is not as it was sealed, in words. */
export interface Finding {
  kind: 'no_manifest' | 'altered' | 'missing' | 'extra' | 'renamed' | 'swapped' | 'repeated' | 'moved'
  name: string
  /** What the file is called now. */
  now?: string
  text: string
}

/**
 * What differs between the files of a dossier and those that were sealed. `unlisted` are the names that belong to a
 * dossier without being among the sealed. A file that was renamed or exchanged with another is told
 * from one whose bytes have changed.
 */
export function changesOf(
  files: readonly HashedFile[],
  sealed: readonly HashedFile[],
  unlisted: readonly string[],
): Finding[] {
  const listed = new Map(sealed.map(({ name, sha256 }) => [name, sha256]))
  const found = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  const added = files.filter(({ name }) => !listed.has(name) && !unlisted.includes(name))
  const renamed = new Set<string>()
  const findings: Finding[] = repeatedIn(files)
  for (const [name, sha256] of listed) {
    const now = found.get(name)
    if (now === sha256) continue
    if (now !== undefined) findings.push(changed(name, now, listed, found))
    else {
      const other = added.find((file) => file.sha256 === sha256 && !renamed.has(file.name))
      if (other) renamed.add(other.name)
      findings.push(other ? renamedTo(name, other.name) : gone(name))
    }
  }
  const extra = added.filter(({ name }) => !renamed.has(name))
  return [...findings, ...extra.map(({ name }) => notListed(name))]
}

function changed(
  name: string,
  now: string,
  listed: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): Finding {
  const [other] = [...listed].find(([one, sha256]) => one !== name && sha256 === now) ?? []
  if (other === undefined)
    return { kind: 'altered', name, text: `${name} foi alterado: os bytes não são os que foram selados.` }
  return {
    kind: 'swapped',
    name,
    text:
      found.get(other) === listed.get(name)
        ? `${name} foi trocado com ${other}: um está com o nome do outro.`
        : `${name} foi trocado: no lugar dele está ${other}.`,
  }
}

const renamedTo = (name: string, now: string): Finding => ({
  kind: 'renamed',
  name,
  now,
  text: `${name} foi renomeado: está no dossiê como ${now}.`,
})
const gone = (name: string): Finding => ({
  kind: 'missing',
  name,
  text: `Falta ${name}, que o manifesto lista.`,
})
const notListed = (name: string): Finding => ({
  kind: 'extra',
  name,
  text: `${name} foi acrescentado: não está no manifesto.`,
})

function repeatedIn(files: readonly HashedFile[]): Finding[] {
  const seen = new Set<string>()
  const repeated = files.filter(({ name }) => seen.size === seen.add(name).size)
  return repeated.map(({ name }) => ({
    kind: 'repeated',
    name,
    text: `${name} aparece mais de uma vez: programas diferentes mostrariam arquivos diferentes.`,
  }))
}
