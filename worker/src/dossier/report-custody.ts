import type { DossierBuild, Preparation } from '@garantia/server/features/records/dossier'
import { custody, custodyLines } from '@garantia/shared/dossier/custody'
import { dateTime } from '@garantia/shared/format'
import {
  contentWidth,
  ensureSpace,
  GREY,
  heading,
  MARGIN,
  paragraph,
  type ReportDocument,
  rule,
  textAt,
  textHeight,
} from './report-document.ts'
import type { NumberedFile } from './words.ts'

const LABEL = 82
const SMALL = 8.5

/** The way of each file from its capture to this dossier, as the manifest has it. */
export function custodySection(
  doc: ReportDocument,
  { company, n, actor }: DossierBuild,
  { contents, sealed_at }: Preparation,
  files: readonly NumberedFile[],
) {
  heading(doc, 'Cadeia de custódia')
  for (const text of [
    `O original de cada arquivo fica guardado em ${company.trading_name} desde o recebimento e nunca é alterado. A cópia que está neste dossiê foi feita dele, com os passos abaixo. Recebimento e selo têm a hora do servidor; a captura e a câmera são o que o aparelho gravou no arquivo.`,
    `Todos foram selados no dossiê ${n} em ${dateTime(sealed_at)}, por ${actor}.`,
  ])
    paragraph(doc, text, 9.5)
  const listed = new Map(contents.files.map((file) => [file.name, file]))
  for (const { number, name } of files)
    fileLines(doc, `${number}. ${name}`, custodyLines(custody.parse(listed.get(name) ?? {})))
}

function fileLines(doc: ReportDocument, title: string, lines: readonly [string, string][]) {
  const width = contentWidth(doc) - LABEL
  const titleHeight = textHeight(doc, title, contentWidth(doc), { size: 9, weight: 'bold' })
  const heights = lines.map(([, text]) => textHeight(doc, text, width, { size: SMALL }) + 2)
  ensureSpace(
    doc,
    heights.reduce((sum, one) => sum + one, titleHeight + 18),
  )
  rule(doc, doc.y)
  let y = doc.y + 6
  y += textAt(doc, title, { x: MARGIN, y, width: contentWidth(doc) }, { size: 9, weight: 'bold' }) + 3
  for (const [place, [label, text]] of lines.entries()) {
    textAt(doc, label, { x: MARGIN, y, width: LABEL - 10 }, { size: SMALL, colour: GREY })
    textAt(doc, text, { x: MARGIN + LABEL, y, width }, { size: SMALL })
    y += heights[place] ?? 0
  }
  doc.y = y + 6
}
