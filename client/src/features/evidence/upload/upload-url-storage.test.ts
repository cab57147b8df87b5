import { describe, expect, test } from 'vitest'
import type { Upload } from './upload-item.ts'
import { createUploadUrlStorage, fingerprintOf } from './upload-url-storage.ts'

const upload: Upload = {
  key: 1,
  id: 'x',
  person: 3,
  order: { id: 7, os_number: '000123' },
  file: new File([new Uint8Array(9)], 'placa-ABC1D23.jpg', { lastModified: 5 }),
  fields: { category: 'placa', description: 'Carro de José' },
}
const DAY = 24 * 60 * 60 * 1_000
const ADDRESS = 'http://127.0.0.1/api/v1/uploads/abc'
const storedUpload = {
  uploadUrl: ADDRESS,
  size: 9,
  metadata: {},
  creationTime: '',
  urlStorageKey: '',
  parallelUploadUrls: null,
}

/** Fake Storage: like the browser's, its entries are its own keys. */
function store(): Storage {
  const entries: Record<string, unknown> = {}
  const methods = {
    getItem: (key: string) => (entries[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => void Object.assign(entries, { [key]: value }),
    removeItem: (key: string) => void delete entries[key],
  }
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(entries, name, { value, enumerable: false })
  return entries as unknown as Storage
}

describe('stored URLs of unfinished uploads', () => {
  test('file, order, user and texts identify an upload; any difference makes it another one', () => {
    const same = fingerprintOf({ ...upload, key: 2 })
    expect(same).toBe(fingerprintOf(upload))
    const others: Upload[] = [
      { ...upload, person: 4 },
      { ...upload, order: { id: 8, os_number: '000124' } },
      { ...upload, file: new File([new Uint8Array(9)], 'placa.jpg', { lastModified: 5 }) },
      { ...upload, file: new File([new Uint8Array(8)], 'placa-ABC1D23.jpg', { lastModified: 5 }) },
      { ...upload, file: new File([new Uint8Array(9)], 'placa-ABC1D23.jpg', { lastModified: 6 }) },
      { ...upload, fields: { ...upload.fields, category: 'defeito' } },
      { ...upload, fields: { ...upload.fields, description: 'Carro de João' } },
    ]
    expect(new Set([same, ...others.map(fingerprintOf)]).size).toBe(others.length + 1)
  })

  test('survives a reload, and stores neither file name nor texts', async () => {
    const storage = store()
    await createUploadUrlStorage(storage).addUpload(fingerprintOf(upload), storedUpload)
    const all = JSON.stringify({ ...storage })
    expect(all).toContain(ADDRESS)
    expect(all).not.toMatch(/placa|ABC1D23|José/)
    const reloaded = createUploadUrlStorage(storage)
    expect(reloaded.find(fingerprintOf(upload))).toBe(ADDRESS)
    reloaded.forget(fingerprintOf(upload))
    expect(reloaded.find(fingerprintOf(upload))).toBeNull()
    expect({ ...storage }).toEqual({})
  })

  test('expires after a day, as on the server', async () => {
    const storage = store()
    let now = 0
    const clock = () => now
    await createUploadUrlStorage(storage, clock).addUpload(fingerprintOf(upload), storedUpload)
    now = DAY - 1
    expect(createUploadUrlStorage(storage, clock).find(fingerprintOf(upload))).toBe(ADDRESS)
    now = DAY
    expect(createUploadUrlStorage(storage, clock).find(fingerprintOf(upload))).toBeNull()
    expect({ ...storage }).toEqual({})
  })

  test('full or blocked storage only loses resumption after a reload, not the upload', async () => {
    const forbidden = new Proxy({} as Storage, {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
      ownKeys() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    const addresses = createUploadUrlStorage(forbidden)
    await addresses.addUpload(fingerprintOf(upload), storedUpload)
    expect(addresses.find(fingerprintOf(upload))).toBe(ADDRESS)
  })
})
