import { describe, expect, test } from 'vitest'
import { historyLines, type OrderEvent } from './history.ts'

const event = (minute: number, kind: string, changes: object = {}, actor_name = 'Ana'): OrderEvent => ({
  at: new Date(Date.UTC(2026, 10, 23, 12, minute)),
  kind,
  actor_name,
  changes: { ...changes },
})
const texts = (...events: OrderEvent[]) => historyLines(events).map(({ text }) => text)

describe('the history in a dossier (beyond 1.3)', () => {
  test('is told in sentences, in the order of the events', () => {
    expect(
      texts(
        event(0, 'opened', { os_number: '123456' }),
        event(1, 'status', { status: ['created', 'in_analysis'], reason: 'cliente irritado' }),
        event(2, 'changed', { vehicle_chassis: ['a', 'b'], customer_phone: ['1', '2'] }),
        event(3, 'evidence.turned'),
        event(4, 'evidence.deleted', { filename: 'a.jpg' }),
        event(5, 'evidence.restored'),
        event(6, 'evidence.changed', { evidence_category: [null, 'placa'] }),
        event(7, 'dossier.sealed', { n: 2 }),
      ),
    ).toEqual([
      'Ordem de serviço aberta.',
      'Situação da OS alterada de «Criada» para «Em Análise».',
      'Dados da OS alterados: Telefone, Chassi.',
      'Uma foto girada.',
      'Exclusão de 1 arquivo.',
      'Restauração de 1 arquivo.',
      'Categoria ou descrição alterada em 1 arquivo.',
      'Dossiê 2 concluído.',
    ])
  })

  test('has one line for what one person does repeatedly within an hour', () => {
    const sent = Array.from({ length: 12 }, (_, minute) => event(minute, 'evidence.uploaded'))
    expect(
      texts(...sent, event(13, 'evidence.uploaded', {}, 'João'), event(90, 'evidence.uploaded')),
    ).toEqual(['Envio de 12 arquivos.', 'Envio de 1 arquivo.', 'Envio de 1 arquivo.'])
    const link = { guest_link: 'Mecânico João' }
    expect(texts(event(0, 'evidence.uploaded', link), event(90, 'evidence.uploaded', link))).toEqual([
      'Envio de 1 arquivo, por link («Mecânico João»).',
      'Envio de 1 arquivo, por link («Mecânico João»).',
    ])
    expect(texts(event(0, 'evidence.uploaded'), event(1, 'evidence.uploaded', link))).toEqual([
      'Envio de 2 arquivos, 1 por link («Mecânico João»).',
    ])
    expect(
      texts(
        event(0, 'status', { status: ['created', 'pending'] }),
        event(1, 'status', { status: ['pending', 'in_analysis'] }),
      ),
    ).toHaveLength(2)
  })

  test('leaves out what is of the dealership alone', () => {
    const internal = [
      'comment',
      'held',
      'released',
      'evidence.failed',
      'evidence.converted',
      'conversion.requested',
    ]
    expect(texts(...internal.map((kind, minute) => event(minute, kind, { comment: 'interno' })))).toEqual([])
  })
})
