import { describe, expect, test } from 'vitest'
import type { UploadItem } from './upload-item.ts'
import {
  closeButtonLabel,
  endingQuestion,
  limitWarning,
  progressAnnouncement,
  progressLine,
  trayLine,
  trayTitle,
  uploadNotifications,
  urgencyOf,
  waitingNote,
} from './upload-messages.ts'
import { summaryOf } from './upload-summary.ts'

const item = (state: UploadItem['state'], name = 'foto.jpg'): UploadItem => ({
  key: 1,
  id: 'x',
  person: 1,
  order: { id: 7, os_number: '000123' },
  fields: {},
  file: new File([new Uint8Array(1_000)], name, { type: name.endsWith('mp4') ? 'video/mp4' : 'image/jpeg' }),
  state,
  loaded: state === 'sent' ? 1_000 : 0,
  bytes_per_second: 0,
  tries: 1,
  reason: null,
})
const nothing = summaryOf([])

describe('upload messages', () => {
  test('success, with files already present (UPL-7)', () =>
    expect(uploadNotifications([item('sent'), item('sent'), item('already_there')])).toEqual([
      {
        kind: 'success',
        title: 'Evidências enviadas com sucesso',
        description: '2 arquivos; 1 já estava na OS',
      },
    ]))

  test('an upload of only duplicates is reported as info, not as an error (D-22)', () =>
    expect(uploadNotifications([item('already_there')])).toEqual([
      { kind: 'info', title: 'Nenhum arquivo novo', description: '1 arquivo já estava nesta OS' },
    ]))

  test('success and failure are reported separately (UPL-8)', () =>
    expect(uploadNotifications([item('sent'), item('refused'), item('failed')])).toMatchObject([
      { kind: 'success' },
      { kind: 'error', title: 'Erro ao enviar evidências' },
    ]))

  test('on another page the toast names the order', () =>
    expect(uploadNotifications([item('sent'), item('refused')], ' na OS 000123')).toEqual([
      {
        kind: 'success',
        title: 'Evidências enviadas com sucesso',
        description: '1 arquivo na OS 000123',
      },
      {
        kind: 'error',
        title: 'Erro ao enviar evidências',
        description: '1 arquivo não foi enviado na OS 000123. O motivo está na lista.',
      },
    ]))

  test('the label of the close button depends on what closing does', () => {
    expect(closeButtonLabel(nothing)).toBe('Cancelar')
    expect(closeButtonLabel(summaryOf([item('chosen')]))).toBe('Cancelar')
    expect(closeButtonLabel(summaryOf([item('sending')]))).toBe('Continuar em segundo plano')
    expect(closeButtonLabel(summaryOf([item('sending'), item('chosen')]))).toBe('Cancelar')
    expect(closeButtonLabel(summaryOf([item('refused')]))).toBe('Fechar')
  })

  test('the cancel confirmation counts lost and kept files', () => {
    expect(endingQuestion(summaryOf([item('sending'), item('paused'), item('sent')])).text).toBe(
      '2 arquivos não serão enviados. 1 arquivo que já chegou fica na OS.',
    )
    expect(endingQuestion(summaryOf([item('queued')])).text).toBe('1 arquivo não será enviado.')
    expect(endingQuestion(summaryOf([item('failed'), item('refused')])).text).toBe(
      '1 arquivo não será enviado.',
    )
  })

  test('the tray shows files, bytes and speed, or what it waits for', () => {
    const line = (...items: UploadItem[]) => [trayTitle(summaryOf(items)), trayLine(summaryOf(items))]
    expect(line(item('sent'), { ...item('sending'), loaded: 500, bytes_per_second: 5_000_000 })).toEqual([
      'Enviando evidências',
      '1 de 2 · 1,5 KB de 2 KB · 5 MB/s',
    ])
    expect(line(item('sent'), item('offline'))).toEqual([
      '1 envio aguardando conexão',
      '1 de 2 · 1 KB de 2 KB',
    ])
    expect(line(item('sent'), item('paused'))).toEqual(['Envio pausado', '1 de 2 · 1 KB de 2 KB'])
    expect(line(item('sent'), item('refused'))).toEqual(['Envio com pendências', '1 enviado · 1 recusado'])
    expect(line(item('sent'), item('already_there'))).toEqual(['Envio concluído', '1 enviado · 1 já na OS'])
  })

  test('what becomes of waiting files when the page is left is said once it is known', () => {
    const note = (...is_kept: (boolean | undefined)[]) =>
      waitingNote(
        is_kept.map((kept) => ({ ...item('offline'), ...(kept !== undefined && { is_kept: kept }) })),
        false,
      )
    expect(note(true, undefined)).toBe(null)
    expect(note(true, true)).toMatch(/^Guardados neste aparelho: se o Garantia for fechado/)
    expect(note(true, false, undefined)).toBe(
      'Não coube neste aparelho: 1 arquivo. Mantenha o Garantia aberto até o fim do envio.',
    )
    expect(waitingNote([{ ...item('offline'), is_kept: true }], true)).toMatch(/por até 7 dias/)
    expect(waitingNote([{ ...item('sending'), is_kept: true }], false)).toBe(null)
  })

  test('announcements contain files but not bytes, and are urgent when the upload is waiting', () => {
    const [sending, offline] = [summaryOf([item('sending')]), summaryOf([item('offline')])]
    expect(progressAnnouncement(sending)).toBe('0 de 1 arquivo na OS')
    expect(progressAnnouncement(offline)).toBe('Aguardando conexão. 0 de 1 arquivo na OS')
    expect(urgencyOf(offline)).not.toBe(urgencyOf(sending))
    expect(urgencyOf(summaryOf([{ ...item('sending'), loaded: 900 }]))).toBe(urgencyOf(sending))
  })

  test('the status line beside the buttons', () => {
    expect(progressLine(nothing)).toBe('Nenhum arquivo escolhido')
    expect(progressLine(summaryOf([item('chosen')]))).toBe('1 arquivo · 1 KB')
    expect(progressLine(summaryOf([item('sent'), item('sending')]))).toBe('1 de 2 arquivos · 1 KB de 2 KB')
    expect(progressLine(summaryOf([item('sent'), item('refused')]))).toBe('1 enviado · 1 recusado')
  })
})

test("exceeding the brand's limits is reported before sending", () => {
  const rules = {
    max_file_size_mb: 10,
    max_video_count: 1,
    max_evidence_count: 3,
    accepted_video_formats: ['mp4'],
    accepted_image_formats: ['jpg'],
    required_categories: [],
  }
  const present = [{ file_type: 'video' as const }]
  expect(limitWarning(rules, present, [item('chosen')])).toBeNull()
  expect(limitWarning(rules, present, [item('chosen', 'a.mp4')])).toBe(
    'A marca aceita até 1 vídeo por OS; com estes serão 2.',
  )
  expect(limitWarning(rules, present, [item('chosen'), item('chosen'), item('chosen')])).toBe(
    'A marca aceita até 3 arquivos por OS; com estes serão 4.',
  )
  expect(limitWarning(rules, present, [item('sent'), item('sent'), item('sent')])).toBeNull()
})
