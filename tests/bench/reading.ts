import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type ReadingKind, searchedKinds } from '@garantia/shared/evidence/reading'
import { drawPhotos, platePhoto } from '../support/plates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isQuick } from './options.ts'
import { record } from './record.ts'
import { median } from './support.ts'

/** Plates in photos of 12 megapixels, read in one process after its models are loaded (goal P19). */
const PLATES = ['BRA2E19', 'MKL4586', 'FGH5J72', 'NBD9326', 'PTR6A48']
const ROUNDS = isQuick ? 1 : 8
/** Factor of the drawings. */
const TWELVE_MEGAPIXELS = 3.125

const dir = temporaryFolder('leitura')
const drawings = PLATES.map((plate, index) =>
  platePhoto(plate, { scale: TWELVE_MEGAPIXELS, isNight: index === 2, isMotorcycle: index === 4 }),
)
const paths = [...(await drawPhotos(dir, drawings)).values()]
const program = fileURLToPath(new URL('./reading-child.ts', import.meta.url))
const photos = Array.from({ length: ROUNDS }, () => paths).flat()

/** What one process needs for all photos, of which the first one loads the models. */
function measure(kinds: readonly ReadingKind[]) {
  const output = execFileSync(process.execPath, [program, kinds.join(), PLATES.join(), ...photos], {
    encoding: 'utf8',
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  })
  const { milliseconds, right, memory } = JSON.parse(output) as {
    milliseconds: number[]
    right: number
    memory: number
  }
  if (right !== photos.length) throw new Error(`${right} of ${photos.length} plates were read`)
  return { cpu: median(milliseconds.slice(1)), memory }
}
const plates = measure(['plate'])
const uncategorised = measure(searchedKinds(null))
record({ name: 'reading, 12 MP photo: CPU', unit: 'ms', product: plates.cpu })
record({ name: 'reading, 12 MP photo without category: CPU', unit: 'ms', product: uncategorised.cpu })
record({ name: 'reading, memory', unit: 'MB', product: Math.max(plates.memory, uncategorised.memory) })
