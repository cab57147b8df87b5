import { Unreadable } from '@garantia/shared/dossier/sealed-archive'
import { type Chosen, onlyStamp, openFolder, openZip } from './read-dossier.ts'

/** What was dropped or chosen, as files of a dossier. Throws Unreadable when it can be none. */
export async function chosenFrom(files: readonly File[]): Promise<Chosen> {
  const [first] = files
  if (!first) throw new Unreadable('Nada foi escolhido.')
  const isStamp = ({ name }: File) => name.endsWith('.tsr')
  const [zip, ...others] = files.filter((file) => !isStamp(file))
  const isZip = !first.webkitRelativePath && zip && others.length === 0
  if (isZip) return openZip(zip, onlyStamp(files.filter(isStamp)))
  return openFolder(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })))
}

/** Everything in a dropped folder; a dropped file as it is. To be called while the event is being handled. */
export async function chosenFromDrop(data: DataTransfer): Promise<Chosen> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.every((entry) => entry.isFile)) return chosenFrom([...data.files])
  const files = await Promise.all(entries.map((entry) => filesBelow(entry)))
  return openFolder(files.flat())
}

async function filesBelow(entry: FileSystemEntry): Promise<{ path: string; file: File }[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ path: entry.fullPath.slice(1), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: { path: string; file: File }[] = []
  // Browsers return a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found
    for (const child of some) found.push(...(await filesBelow(child)))
  }
}
