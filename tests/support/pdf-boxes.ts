import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

/** What stands on a page, in points from its lower left corner. */
export interface PageBox {
  kind: 'text' | 'picture' | 'line'
  left: number
  bottom: number
  right: number
  top: number
  text: string
}

type Matrix = [number, number, number, number, number, number]
const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
]
const at = (m: Matrix, x: number, y: number) =>
  [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]] as const
function boxOf(m: Matrix, [x1, y1, x2, y2]: readonly number[]) {
  const [a, b] = [at(m, x1 ?? 0, y1 ?? 0), at(m, x2 ?? 0, y2 ?? 0)]
  return {
    left: Math.min(a[0], b[0]),
    right: Math.max(a[0], b[0]),
    bottom: Math.min(a[1], b[1]),
    top: Math.max(a[1], b[1]),
  }
}

/** Points between the parts of a line at most. */
const NEAR = 4

/** The texts, pictures and lines of each page of a finished PDF, as a viewer would draw them. */
export async function pdfBoxes(data: Buffer): Promise<{ width: number; height: number; boxes: PageBox[] }[]> {
  const { OPS } = await getResolvedPDFJS()
  const doc = await getDocumentProxy(new Uint8Array(data))
  const pages = []
  for (let number = 1; number <= doc.numPages; number++) {
    const page = await doc.getPage(number)
    const [, , width = 0, height = 0] = page.view
    const boxes: PageBox[] = []
    const content = await page.getTextContent()
    for (const item of content.items) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [, , , size = 0, left = 0, base = 0] = item.transform as number[]
      // From below the baseline to the height of a capital.
      const box = { left, right: left + item.width, bottom: base - size * 0.2, top: base + size * 0.75 }
      const last = boxes.at(-1)
      // Kerning ends an item in the middle of a line.
      if (last && Math.abs(last.bottom - box.bottom) < 0.1 && Math.abs(last.right - left) < NEAR) {
        last.text += item.str
        last.right = box.right
      } else boxes.push({ kind: 'text', text: item.str, ...box })
    }
    const { fnArray, argsArray } = await page.getOperatorList()
    let matrix: Matrix = [1, 0, 0, 1, 0, 0]
    const stack: Matrix[] = []
    for (const [place, op] of fnArray.entries()) {
      const args = argsArray[place]
      if (op === OPS.save) stack.push(matrix)
      else if (op === OPS.restore) matrix = stack.pop() ?? matrix
      else if (op === OPS.transform) matrix = times(matrix, args as Matrix)
      else if (op === OPS.paintImageXObject)
        boxes.push({ kind: 'picture', text: '', ...boxOf(matrix, [0, 0, 1, 1]) })
      else if (op === OPS.constructPath && args[2])
        boxes.push({ kind: 'line', text: '', ...boxOf(matrix, Array.from(args[2] as Float32Array)) })
    }
    pages.push({ width, height, boxes })
  }
  return pages
}
