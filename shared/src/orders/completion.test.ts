import { expect, test } from 'vitest'
import type { JudgedFile, PackageRules } from '../evidence/validation.ts'
import { type CompletableOrder, completionProblems } from './completion.ts'

const rules: PackageRules = {
  max_file_size_mb: 10,
  max_video_count: 1,
  max_evidence_count: 5,
  max_video_seconds: null,
  accepted_video_formats: ['mp4'],
  accepted_image_formats: ['jpg'],
  required_categories: [{ category: 'odometro', min: 1 }],
}
const order: CompletableOrder = {
  status: 'ready',
  problem_description: 'Ruído',
  customer_name: 'Maria',
  customer_phone: '11987654321',
  vehicle_model: 'X',
  vehicle_chassis: '9BGRD08X04G117974',
  vehicle_mileage: 0,
  diagnosis: 'Pastilha gasta',
  solution_applied: 'Troca',
  parts_replaced: null,
}
const file = (evidence_category: JudgedFile['evidence_category']): JudgedFile => ({
  id: 1,
  file_type: 'image',
  status: 'converted',
  evidence_category,
  converted_size: 1000,
  converted_format: 'jpeg',
  duration_seconds: null,
})

test('a whole package of a whole order stands against nothing (D-10)', () =>
  expect(completionProblems(rules, order, [file('odometro')])).toEqual([]))

test('the end of an order demands more data than its package (D-23, V11)', () => {
  const bare = {
    ...order,
    vehicle_chassis: null,
    vehicle_mileage: null,
    diagnosis: '',
    solution_applied: null,
  }
  expect(completionProblems(rules, bare, [file('odometro')])).toEqual([
    'Preencha para concluir: chassi, quilometragem, diagnóstico, solução aplicada',
  ])
  expect(completionProblems(rules, order, [file('odometro'), file('pecas')])).toEqual([
    'Preencha para concluir: peças substituídas',
  ])
})

test('without evidence the package’s own errors are listed (D-10, D-23)', () =>
  expect(completionProblems(rules, { ...order, customer_name: null }, [])).toEqual([
    'Envie ao menos uma evidência',
    'Falta: Odômetro (0 de 1)',
    'Preencha na OS: nome do cliente',
  ]))
