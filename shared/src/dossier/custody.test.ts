import { expect, test } from 'vitest'
import { custody, custodyLines } from './custody.ts'

const of = (value: object) => Object.fromEntries(custodyLines(custody.parse(value)))

test('each step of a copy, and what stayed, is said in words (issue: originals as evidence)', () => {
  expect(
    of({
      captured_at: '2026-11-20T13:05:00.000Z',
      captured_from: 'exif_date_time_original',
      camera: 'Apple iPhone 14',
      capture_way: 'uploaded_file',
      uploaded_at: '2026-11-20T14:00:00.000Z',
      uploaded_by: 'João da Silva',
      steps: [
        { step: 'upright', exif_orientation: 6 },
        { step: 'rotated', degrees_clockwise: 90 },
        { step: 'resized', from: [4032, 3024], to: [2048, 1536] },
        { step: 'rewritten', from: 'heic', to: 'jpeg' },
        { step: 'location_removed' },
      ],
      unchanged: [],
    }),
  ).toEqual({
    Captura: '20/11/2026, 10:05, pela hora que o aparelho gravou na foto (EXIF)',
    Câmera: 'Apple iPhone 14, segundo o próprio arquivo',
    Forma: 'enviado como arquivo: nada além do próprio arquivo diz com que aparelho, e quando, foi feito',
    Recebimento: '20/11/2026, 11:00, por João da Silva',
    Cópia:
      'posta em pé, como o aparelho a marcou (EXIF); girada por uma pessoa, 90° no sentido horário; redimensionada de 4.032 × 3.024 para 2.048 × 1.536 pixels; convertida de HEIC para JPEG; sem a localização (GPS) que o original tem',
  })
})

test('a photo of the app’s camera names its nonce, and what that does not prove', () => {
  const taken = { captured_at: '2026-11-20T13:05:00.000Z', captured_from: 'app_clock' }
  const sentence = 'isso não prova o que estava diante da câmera'
  expect(of({ ...taken, capture_way: 'app_camera', nonce_issued_at: '2026-11-20T13:00:00.000Z' })).toEqual({
    Captura: '20/11/2026, 10:05, pelo relógio do aparelho, segundo a câmera do app',
    Forma: `enviado como foto da câmera do app, com um código de uso único, que o servidor emitiu em 20/11/2026, 10:00; ${sentence}`,
  })
  expect(of({ capture_way: 'app_camera' })).toEqual({
    Forma: `enviado como foto da câmera do app, com um código de uso único; ${sentence}`,
  })
})

test('what came by a link names for whom it was made, and who made it', () => {
  const sent = { uploaded_at: '2026-11-20T14:00:00.000Z', guest_link: 'Mecânico João' }
  expect(of({ ...sent, uploaded_by: 'Ana Lima' })).toEqual({
    Recebimento: '20/11/2026, 11:00, pelo link para «Mecânico João», criado por Ana Lima',
  })
  expect(of(sent)).toEqual({ Recebimento: '20/11/2026, 11:00, pelo link para «Mecânico João»' })
})

test('a copy that is its original says so, and what stayed is named', () => {
  expect(of({ steps: [], unchanged: ['bytes'] })).toEqual({ Cópia: 'é o próprio original, byte por byte' })
  expect(
    of({
      steps: [{ step: 'rewritten', from: 'jpeg', to: 'jpeg' }],
      unchanged: ['orientation', 'dimensions', 'format'],
    }),
  ).toEqual({ Cópia: 'gravada de novo em JPEG', 'Não mudou': 'a orientação, as dimensões e o formato' })
})

test('what is known to be absent is told from what a manifest of a former release does not say', () => {
  expect(of({ captured_at: null, camera: null })).toEqual({
    Captura: 'sem hora no arquivo',
    Câmera: 'não identificada no arquivo',
  })
  expect(of({})).toEqual({})
})

test('nothing in a manifest breaks its reading', () => {
  expect(of({ captured_at: 7, camera: [], steps: 'x', unchanged: 3, uploaded_at: 'ontem' })).toEqual({})
  expect(of({ steps: [{ step: 'sonhada' }, { step: 'resized', from: null }], unchanged: ['sonho'] })).toEqual(
    {
      Cópia: 'sonhada; redimensionada de tamanho desconhecido para tamanho desconhecido pixels',
    },
  )
})
