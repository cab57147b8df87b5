import type { Preparation } from '@garantia/server/features/records/dossier'
import {
  inGroups,
  MANIFEST,
  PUBLIC_KEY,
  SIGNATURE,
  STAMP,
  SUMS,
  SUMS_SIGNATURE,
  VERIFIER,
} from '@garantia/shared/dossier/proof'
import { encode } from 'uqr'
import {
  contentWidth,
  ensureSpace,
  FONT,
  GREY,
  heading,
  INK,
  LINE,
  MARGIN,
  PALE,
  type ReportDocument,
} from './report-document.ts'

const PADDING = 10
const CODE = 64

/** Fingerprint of the contents and of the key, and where the house confirms them, as address and QR code. */
export function coverProof(doc: ReportDocument, { contents_sha256, key_id, confirmation_url }: Preparation) {
  const height = CODE + 2 * PADDING
  const y = doc.y + 10
  doc.roundedRect(MARGIN, y, contentWidth(doc), height, 3).fillAndStroke(PALE, LINE)
  if (confirmation_url) drawCode(doc, confirmation_url, MARGIN + PADDING, y + PADDING)
  const left = MARGIN + PADDING + (confirmation_url ? CODE + 12 : 0)
  const width = contentWidth(doc) - (left - MARGIN) - PADDING
  doc.y = y + PADDING
  const line = (font: string, size: number, colour: string, text: string, gap: number) => {
    doc.font(font).fontSize(size).fillColor(colour).text(text, left, doc.y, { width, lineBreak: false })
    doc.y += gap
  }
  line(FONT.text, 8, GREY, 'Impressão digital do conteúdo (SHA-256)', 2)
  line(FONT.mono, 8.5, INK, contents_sha256, 4)
  line(FONT.text, 8, GREY, 'Assinado (Ed25519) pela chave', 2)
  line(FONT.mono, 8.5, INK, inGroups(key_id), 4)
  if (confirmation_url) {
    const address = confirmation_url.slice(0, -contents_sha256.length - 1)
    line(FONT.text, 8, GREY, `Confirme em ${address} ou pelo código ao lado.`, 0)
  }
  doc.y = y + height + 20
}

/** As squares, so that it stays sharp in print. */
function drawCode(doc: ReportDocument, text: string, x: number, y: number) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const side = CODE / size
  for (const [row, cells] of data.entries())
    for (const [column, isDark] of cells.entries())
      if (isDark) doc.rect(x + column * side, y + row * side, side, side)
  doc.fill(INK)
}

/** The commands by which anybody verifies a dossier, in its folder; run by a test as they are printed. */
export const COMMANDS = [
  `openssl pkeyutl -verify -rawin -pubin -inkey ${PUBLIC_KEY} -sigfile ${SUMS_SIGNATURE} -in ${SUMS}`,
  `openssl pkeyutl -verify -rawin -pubin -inkey ${PUBLIC_KEY} -sigfile ${SIGNATURE} -in ${MANIFEST}`,
  `sha256sum -c ${SUMS}`,
  `openssl pkey -pubin -in ${PUBLIC_KEY} -outform DER | sha256sum | cut -c1-32`,
]

/** The same for the time-stamp, which is a file of its own beside the ZIP. */
export const STAMP_COMMANDS = [
  `openssl ts -reply -in ${STAMP} -token_out | openssl pkcs7 -inform DER -print_certs > autoridade.pem`,
  `openssl ts -verify -data ${MANIFEST} -in ${STAMP} -CAfile autoridade.pem -untrusted autoridade.pem`,
]

function commandBox(doc: ReportDocument, commands: readonly string[]) {
  const height = commands.length * 13 + 12
  ensureSpace(doc, height + 60)
  doc.roundedRect(MARGIN, doc.y, contentWidth(doc), height, 3).fillAndStroke(PALE, LINE)
  doc.y += 8
  doc.font(FONT.mono).fontSize(7.6).fillColor(INK)
  for (const command of commands) {
    // Without a width it stays on its line.
    doc.text(command, MARGIN + 8, doc.y, { lineBreak: false })
    doc.y += 13
  }
  doc.y += 10
}

/** How to verify the dossier without this product. */
export function proofSection(doc: ReportDocument, { key_id, contents, awaits_stamp }: Preparation) {
  heading(doc, 'Conferir sem o Garantia')
  const paragraph = (text: string) => {
    doc.font(FONT.text).fontSize(9.5).fillColor(INK)
    doc.text(text, MARGIN, doc.y, { width: contentWidth(doc), lineGap: 1.5 })
    doc.y += 4
  }
  paragraph(
    `Num navegador: abra ${VERIFIER}, que funciona sem rede, e solte nele o ZIP ou a pasta. Quem desconfia de quem lhe entregou o dossiê usa a página do próprio emissor, não a do ZIP.`,
  )
  paragraph('Num terminal, na pasta extraída do ZIP (OpenSSL 3 ou mais novo):')
  commandBox(doc, COMMANDS)
  paragraph(
    `As duas primeiras respondem «Signature Verified Successfully», a terceira OK em cada linha, e a última ${key_id}, que é a chave publicada em ${contents.signing_key.keys_at}. A assinatura prova que o dossiê saiu como está de quem tem essa chave; não prova que o que as fotos mostram é verdade, e a hora é a do relógio do servidor.`,
  )
  if (!awaits_stamp) return
  paragraph(
    `Uma autoridade de carimbo de tempo (RFC 3161) confirma que o manifesto já existia numa hora que não é a deste servidor. O carimbo vem depois do selo, num arquivo à parte: salve-o na pasta como ${STAMP}.`,
  )
  commandBox(doc, STAMP_COMMANDS)
  paragraph(
    'A última responde «Verification: OK». Confiar na autoridade é decisão de quem confere: troque autoridade.pem pelos certificados que ela mesma publica. Se já venceram, acrescente -attime com o momento do carimbo, em segundos desde 1970.',
  )
}
