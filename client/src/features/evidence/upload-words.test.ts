import { describe, expect, test } from 'vitest'
import type { UploadItem } from './upload-queue.ts'
import { summaryOf } from './upload-summary.ts'
import { closingWord, overTheLimit, progressLine, uploadNews } from './upload-words.ts'

const item = (state: UploadItem['state'], name = 'foto.jpg'): UploadItem => ({
  key: 1,
  file: new File([new Uint8Array(1_000)], name, { type: name.endsWith('mp4') ? 'video/mp4' : 'image/jpeg' }),
  state,
  loaded: state === 'sent' ? 1_000 : 0,
  bytes_per_second: 0,
  tries: 1,
  reason: null,
})
const nothing = summaryOf([])

describe('what an upload tells', () => {
  test('success, and what was there before (UPL-7)', () =>
    expect(uploadNews(nothing, summaryOf([item('sent'), item('sent'), item('already_there')]))).toEqual([
      {
        kind: 'success',
        title: 'Evidências enviadas com sucesso',
        description: '2 arquivos; 1 já estava na OS',
      },
    ]))

  test('files that were all there are a notice, not an error (D-22)', () =>
    expect(uploadNews(nothing, summaryOf([item('already_there')]))).toEqual([
      { kind: 'info', title: 'Nenhum arquivo novo', description: '1 arquivo já estava na OS' },
    ]))

  test('failure beside success (UPL-8)', () =>
    expect(uploadNews(nothing, summaryOf([item('sent'), item('refused'), item('failed')]))).toMatchObject([
      { kind: 'success' },
      { kind: 'error', title: 'Erro ao enviar evidências' },
    ]))

  test('a second go speaks of its own files only', () => {
    const before = summaryOf([item('sent'), item('refused'), item('chosen')])
    expect(uploadNews(before, summaryOf([item('sent'), item('refused'), item('sent')]))).toEqual([
      { kind: 'success', title: 'Evidências enviadas com sucesso', description: '1 arquivo' },
    ])
  })

  test('the button that closes says what closing means', () => {
    expect(closingWord(nothing)).toBe('Cancelar')
    expect(closingWord(summaryOf([item('chosen')]))).toBe('Cancelar')
    expect(closingWord(summaryOf([item('sending')]))).toBe('Interromper')
    expect(closingWord(summaryOf([item('refused')]))).toBe('Fechar')
  })

  test('the line beside the buttons', () => {
    expect(progressLine(nothing)).toBe('Nenhum arquivo escolhido')
    expect(progressLine(summaryOf([item('chosen')]))).toBe('1 arquivo · 1 KB')
    expect(progressLine(summaryOf([item('sent'), item('sending')]))).toBe('1 de 2 arquivos · 1 KB de 2 KB')
    expect(progressLine(summaryOf([item('sent'), item('refused')]))).toBe('1 enviado · 1 recusado')
  })
})

test('what goes beyond the brand is said before sending', () => {
  const rules = {
    max_file_size_mb: 10,
    max_video_count: 1,
    max_evidence_count: 3,
    accepted_video_formats: ['mp4'],
    accepted_image_formats: ['jpg'],
    required_categories: [],
  }
  const present = [{ file_type: 'video' as const }]
  expect(overTheLimit(rules, present, [item('chosen')])).toBeNull()
  expect(overTheLimit(rules, present, [item('chosen', 'a.mp4')])).toBe(
    'A marca aceita até 1 vídeo por OS; com estes serão 2.',
  )
  expect(overTheLimit(rules, present, [item('chosen'), item('chosen'), item('chosen')])).toBe(
    'A marca aceita até 3 arquivos por OS; com estes serão 4.',
  )
  expect(overTheLimit(rules, present, [item('sent'), item('sent'), item('sent')])).toBeNull()
})
