import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { integer } from '@garantia/shared/format'
import PDFDocument from 'pdfkit'
import type { Subject } from './scene.ts'

export interface TechnicalReportSpec {
  kind: 'technical_report'
  subject: Subject
  os_number: string
  company: string
  technician: string
  diagnosis: string
  /** Date as printed. */
  day: string
}

/** Writes the workshop's technical report as a PDF of one page. */
export async function writeTechnicalReport(spec: TechnicalReportSpec, path: string) {
  const { subject } = spec
  const doc = new PDFDocument({
    size: 'A4',
    margin: 56,
    info: { Title: `Laudo técnico OS ${spec.os_number}` },
  })
  const file = doc.pipe(createWriteStream(path))
  doc.font('Helvetica-Bold').fontSize(20).fillColor('#12508a').text('Laudo técnico')
  doc.font('Helvetica').fontSize(10).fillColor('#5a636d').text(`${spec.company} · ${spec.day}`)
  doc.moveDown(1.5).fillColor('#15181c')
  const rows = [
    ['Ordem de serviço', spec.os_number],
    ['Veículo', subject.model],
    ['Chassi', subject.chassis],
    ['Placa', subject.plate],
    ['Quilometragem', `${integer(subject.mileage)} km`],
    ['Técnico', spec.technician],
  ] as const
  for (const [name, value] of rows) {
    const y = doc.y
    doc.font('Helvetica').fontSize(11).fillColor('#5a636d').text(name, 56, y, { width: 150 })
    doc.font('Helvetica-Bold').fillColor('#15181c').text(value, 210, y)
    doc
      .moveTo(56, doc.y + 4)
      .lineTo(539, doc.y + 4)
      .strokeColor('#d6dbe0')
      .stroke()
    doc.moveDown(0.7)
  }
  doc.moveDown().font('Helvetica-Bold').fontSize(13).text('Diagnóstico', 56)
  doc.moveDown(0.3).font('Helvetica').fontSize(11).text(spec.diagnosis, { width: 483, lineGap: 3 })
  for (const { code, text } of subject.faults) doc.moveDown(0.4).text(`${code}  ${text}`)
  doc.moveDown().font('Helvetica-Bold').fontSize(13).text('Peça')
  doc.moveDown(0.3).font('Helvetica').fontSize(11).text(`${subject.part.name} · ${subject.part.number}`)
  doc
    .moveDown(4)
    .fontSize(9)
    .fillColor('#8a939c')
    .text('Documento de demonstração: pessoas, veículos e peças são fictícios.')
  doc.end()
  await finished(file)
}
