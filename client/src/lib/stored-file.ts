/** A file in IndexedDB, its bytes apart from its name: every browser stores a File, but not all with its date. */
export interface StoredFile {
  bytes: Blob
  name: string
  last_modified: number
}
export const storedFrom = (file: File): StoredFile => {
  return { bytes: file, name: file.name, last_modified: file.lastModified }
}
export const fileFrom = ({ bytes, name, last_modified: lastModified }: StoredFile) =>
  new File([bytes], name, { type: bytes.type, lastModified })
