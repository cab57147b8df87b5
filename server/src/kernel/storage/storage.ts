import type { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  /** Last byte, included. */
  end: number
}

export interface StoredEntry {
  key: string
  size: number
  modified_at: Date
}

export interface StoredFile {
  /** Fills the buffer with the bytes from a place on; answers how many there were. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * Where files live. Keys are ASCII paths that we make («os/12/5f…/original.mp4»); what people called a
 * file stands in the database. A key is written once and never changed.
 */
export interface Storage {
  /** Takes over a finished local file; afterwards it is durable under its key and gone from its path. */
  moveIn(key: string, path: string): Promise<void>
  /** Puts a private copy of the object at a local path, for tools that need a file. */
  fetch(key: string, path: string): Promise<void>
  /** A path where our own process may read the object and nobody may write: its own, or a copy at `spare`. */
  localPath(key: string, spare: string): Promise<string>
  /** Bytes of the object; throws `ENOENT` when there is none. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** The object for reads at any place of it; throws `ENOENT` when there is none. Whoever opens it closes it. */
  open(key: string): Promise<StoredFile>
  /** Size in bytes, or null when there is no such object. */
  size(key: string): Promise<number | null>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Every object below a folder («os/12»), or all of them. */
  list(folder?: string): AsyncIterable<StoredEntry>
  /** Lets go of connections. */
  close(): void
}

/** The storage did not answer, or not as it should; what was asked for may well be there. */
export class StorageFault extends Error {}

/** A stored object as it is handed out. */
export interface StoredObject {
  key: string
  filename: string
  mime: string
  size: number
  etag: string
}

/** A part of an upload, as any door may deliver it; fields may come before or after the files (D-22). */
export type UploadPart =
  | {
      kind: 'file'
      filename: string
      body: Readable
      /** The chunks are nobody else's. */
      isDisposable?: boolean
    }
  | { kind: 'field'; name: string; value: string }
