import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { integer } from '@garantia/shared/format'
import PDFDocument from 'pdfkit'
import type { Subject } from './scene.ts'

export interface TechnicalReportSpec {
  kind: 'sheet'
  subject: Subject
  os_number: string
  company: string
  technician: string
  diagnosis: string
  /** As people write it. */
  day: string
}

/** The workshop's own report, one page. */
export async function writeTechnicalReport(spec: TechnicalReportSpec, path: string) {
  const { subject } = spec
  const paper = new PDFDocument({
    size: 'A4',
    margin: 56,
    info: { Title: `Laudo técnico OS ${spec.os_number}` },
  })
  const file = paper.pipe(createWriteStream(path))
  paper.font('Helvetica-Bold').fontSize(20).fillColor('#12508a').text('Laudo técnico')
  paper.font('Helvetica').fontSize(10).fillColor('#5a636d').text(`${spec.company} · ${spec.day}`)
  paper.moveDown(1.5).fillColor('#15181c')
  const rows = [
    ['Ordem de serviço', spec.os_number],
    ['Veículo', subject.model],
    ['Chassi', subject.chassis],
    ['Placa', subject.plate],
    ['Quilometragem', `${integer(subject.mileage)} km`],
    ['Técnico', spec.technician],
  ] as const
  for (const [name, value] of rows) {
    const y = paper.y
    paper.font('Helvetica').fontSize(11).fillColor('#5a636d').text(name, 56, y, { width: 150 })
    paper.font('Helvetica-Bold').fillColor('#15181c').text(value, 210, y)
    paper
      .moveTo(56, paper.y + 4)
      .lineTo(539, paper.y + 4)
      .strokeColor('#d6dbe0')
      .stroke()
    paper.moveDown(0.7)
  }
  paper.moveDown().font('Helvetica-Bold').fontSize(13).text('Diagnóstico', 56)
  paper.moveDown(0.3).font('Helvetica').fontSize(11).text(spec.diagnosis, { width: 483, lineGap: 3 })
  for (const { code, text } of subject.faults) paper.moveDown(0.4).text(`${code}  ${text}`)
  paper.moveDown().font('Helvetica-Bold').fontSize(13).text('Peça')
  paper.moveDown(0.3).font('Helvetica').fontSize(11).text(`${subject.part.name} · ${subject.part.number}`)
  paper
    .moveDown(4)
    .fontSize(9)
    .fillColor('#8a939c')
    .text('Documento de demonstração: pessoas, veículos e peças são fictícios.')
  paper.end()
  await finished(file)
}
