import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { SubjectCover } from '@garantia/server/features/records/privacy'
import { bytes, counted, date, dateTime } from '@garantia/shared/format'
import { SUBJECT_KEY } from '@garantia/shared/privacy/subject'
import { addPageFrames, createReportDocument, ensureSpace, heading, paragraph } from './report-document.ts'

const TITLE = 'Resposta ao titular de dados pessoais'

/** Writes the cover of the data of a person: what the law asks the controller to say (LGPD, arts. 18 and 19). */
export async function writeSubjectCover(cover: SubjectCover, path: string) {
  const { at, searched_by, register, orders, files, missing } = cover
  const doc = createReportDocument(TITLE, at)
  const written = pipeline(doc, createWriteStream(path, { mode: 0o600 }))
  written.catch(() => undefined)
  paragraph(doc, TITLE, 20)
  paragraph(doc, `Gerada em ${dateTime(at)}. Titular procurado por ${SUBJECT_KEY[searched_by]}.`)
  heading(doc, 'Fundamento')
  paragraph(
    doc,
    'Lei 13.709/2018 (LGPD), art. 18, II (acesso aos dados) e V (portabilidade). O art. 19 prevê a resposta em formato simplificado, imediatamente (I), e a declaração clara e completa, em até 15 dias do pedido (II). Esta é a declaração completa.',
  )
  heading(doc, 'Controlador e encarregado')
  paragraph(doc, `Controlador: ${register.controller || 'não informado no registro de tratamento'}.`)
  const officer = [register.officer, register.officer_contact].filter(Boolean).join(', ')
  paragraph(doc, `Encarregado: ${officer || 'não informado no registro de tratamento'}.`)
  heading(doc, 'O que há neste arquivo')
  paragraph(
    doc,
    `${counted(orders.length, 'ordem de serviço', 'ordens de serviço')}, com ${counted(files, 'arquivo', 'arquivos')} (${bytes(cover.bytes)}). «dados.json» tem todos os registros, pela tabela em que estão; as pastas têm os originais e as cópias. O que é de outras pessoas nas mesmas ordens foi ocultado: «[outra pessoa]», «[equipe]». Fotos e vídeos estão como foram recebidos.`,
  )
  for (const { os_number, company, opened_at } of orders)
    paragraph(doc, `OS ${os_number}, ${company}, aberta em ${date(opened_at)}.`, 9)
  if (missing.length > 0) paragraph(doc, `Não puderam ser lidos no armazenamento: ${missing.join(', ')}.`, 9)
  heading(doc, 'Para quê, por quanto tempo e com quem')
  for (const { name, purpose, legal_basis, data, sharing, retention } of register.activities) {
    ensureSpace(doc, 96)
    paragraph(doc, name, 11)
    paragraph(doc, `Finalidade: ${purpose}`, 9)
    paragraph(doc, `Base legal: ${legal_basis}`, 9)
    paragraph(doc, `Dados: ${data}`, 9)
    paragraph(doc, `Compartilhamento: ${sharing || 'não informado'}`, 9)
    paragraph(doc, `Prazo de guarda: ${retention || 'não informado'}`, 9)
  }
  heading(doc, 'Outros direitos')
  paragraph(
    doc,
    'O titular pode pedir correção, anonimização, bloqueio ou eliminação, informação sobre compartilhamento e revisão (art. 18), e peticionar contra o controlador perante a ANPD (art. 18, § 1º).',
  )
  addPageFrames(doc, { left: TITLE, right: 'LGPD, arts. 18 e 19' }, `Gerada em ${dateTime(at)}`)
  doc.end()
  await written
}
