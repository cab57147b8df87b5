import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') ?? false

/** Category of the drop target: a file dropped on a slot of the checklist gets its category; '' elsewhere. */
export const slotOf = (target: EventTarget | null) =>
  (target instanceof Element ? target.closest<HTMLElement>('[data-slot]')?.dataset.slot : undefined) ?? ''

/**
 * Handles files dropped or pasted anywhere on the page. Drops are always intercepted, because the browser
 * would navigate to the file. Returns true while files are dragged over the page.
 */
export function useIncomingFiles({
  isWanted,
  onFiles,
}: {
  isWanted: boolean
  onFiles: (files: File[], slot?: string) => void
}) {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent(onFiles)

  useEffect(() => {
    // Every element under the pointer fires its own dragenter and dragleave, so they are counted.
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      depth++
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event.dataTransfer) && --depth <= 0) end()
    }
    const end = () => {
      depth = 0
      setIsOver(false)
    }
    const over = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = isWanted ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      end()
      const slot = slotOf(event.target)
      void droppedFiles(event.dataTransfer).then((files) => take(files, slot))
    }
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) take(files.map(withPastedName))
    }
    const stop = new AbortController()
    const options = { signal: stop.signal }
    window.addEventListener('dragenter', enter, options)
    window.addEventListener('dragleave', leave, options)
    window.addEventListener('dragover', over, options)
    window.addEventListener('drop', drop, options)
    window.addEventListener('paste', paste, options)
    return () => stop.abort()
  }, [isWanted])

  return isWanted && isOver
}

/** Renames pasted screenshots: the clipboard always calls them «image.png». */
function withPastedName(file: File) {
  const [, extension] = /^image\.(\w+)$/.exec(file.name) ?? []
  if (!extension) return file
  const timestamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '_')
  return new File([file], `colagem_${timestamp}.${extension}`, {
    type: file.type,
    lastModified: file.lastModified,
  })
}

/** The files of a drop, including those in folders. The entries must be read before the event ends. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const plain = [...files]
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (!entries.some((entry) => entry.isDirectory)) return plain
  return (await Promise.all(entries.map(filesIn))).flat().filter(({ name }) => !name.startsWith('.'))
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: FileSystemEntry[] = []
  // readEntries returns at most 100 entries per call, and an empty batch at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) break
    found.push(...batch)
  }
  return (await Promise.all(found.map(filesIn))).flat()
}
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
