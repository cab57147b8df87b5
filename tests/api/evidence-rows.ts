import { captureNonces } from '@garantia/shared/evidence/capture'
import { validationResult } from '@garantia/shared/evidence/checks'
import {
  batchStarted,
  conversionReport,
  conversionStarted,
  conversionState,
  evidenceChangesResult,
  evidenceDetail,
  evidenceFile,
  evidenceList,
  uploadResult,
} from '@garantia/shared/evidence/schema'
import { z } from 'zod'
import { picture } from '../support/make.ts'
import { multipart, type TestApp } from '../support/test-app.ts'
import type { Row } from './people-rows.ts'

/** Rows for the calls of evidence and its conversion (API-40 to API-49). */
export async function evidenceContract(testApp: TestApp, order_id: number): Promise<Row[]> {
  const waiting = await testApp.make.evidence({ order_id })
  const converted = await testApp.make.converted({ order_id })
  const deletable = await testApp.make.evidence({ order_id })
  const { body, headers } = multipart([{ name: 'files', filename: 'a.jpg', content: await picture() }])
  return [
    {
      id: 'API-40',
      call: 'POST /evidence/{id}/upload',
      path: `/evidence/${order_id}/upload?category=placa`,
      body,
      headers,
      status: 201,
      reply: uploadResult,
    },
    {
      id: 'API-41',
      call: 'GET /evidence/{id}/evidence',
      path: `/evidence/${order_id}/evidence`,
      reply: evidenceList,
    },
    { id: 'ENT-16', call: 'GET /evidence/{id}', path: `/evidence/${converted.id}`, reply: evidenceDetail },
    {
      id: 'decisions 49',
      call: 'PUT /evidence/{id}/rotation',
      path: `/evidence/${waiting.id}/rotation`,
      body: { rotation: 180 },
      reply: evidenceDetail,
    },
    {
      id: 'beyond 2.7',
      call: 'POST /evidence/{id}/capture-nonces',
      path: `/evidence/${order_id}/capture-nonces`,
      body: { count: 2 },
      reply: captureNonces,
    },
    {
      id: 'beyond 4',
      call: 'PUT /evidence/{id}/marks',
      path: `/evidence/${waiting.id}/marks`,
      body: { marks: [{ kind: 'text', at: { x: 0.5, y: 0.5 }, text: 'Trinca' }] },
      reply: evidenceDetail,
    },
    {
      id: 'INST-5',
      call: 'PATCH /evidence/{id}',
      path: `/evidence/${waiting.id}`,
      body: { evidence_category: 'odometro', description: 'Painel' },
      reply: evidenceFile,
    },
    {
      id: 'D-67',
      call: 'PATCH /evidence/{id}/evidence',
      path: `/evidence/${order_id}/evidence`,
      body: { changes: [{ id: waiting.id, evidence_category: 'placa' }] },
      reply: evidenceChangesResult,
    },
    {
      id: 'API-42',
      call: 'DELETE /evidence/{id}',
      path: `/evidence/${deletable.id}`,
      reply: z.object({ message: z.string() }),
    },
    {
      id: 'decisions 70',
      call: 'POST /evidence/{id}/restore',
      path: `/evidence/${deletable.id}/restore`,
      reply: evidenceFile,
    },
    {
      id: 'API-43',
      call: 'POST /evidence/{id}/validate',
      path: `/evidence/${order_id}/validate`,
      reply: validationResult,
    },
    {
      id: 'API-44',
      call: 'GET /evidence/{id}/download',
      path: `/evidence/${converted.id}/download`,
      reply: 'file',
    },
    {
      id: 'API-44',
      call: 'GET /evidence/{id}/download',
      path: `/evidence/${waiting.id}/download?original=true`,
      reply: 'file',
    },
    {
      id: 'API-45',
      call: 'GET /evidence/{id}/download-all',
      path: `/evidence/${order_id}/download-all`,
      reply: 'file',
    },
    {
      id: 'API-49',
      call: 'GET /evidence-conversion/{id}/conversion-report',
      path: `/evidence-conversion/${order_id}/conversion-report`,
      reply: conversionReport,
    },
    {
      id: 'API-48',
      call: 'GET /evidence-conversion/{id}/status',
      path: `/evidence-conversion/${waiting.id}/status`,
      reply: conversionState,
    },
    {
      id: 'API-46',
      call: 'POST /evidence-conversion/{id}/convert',
      path: `/evidence-conversion/${waiting.id}/convert?force=false`,
      reply: conversionStarted,
    },
    {
      id: 'API-47',
      call: 'POST /evidence-conversion/{id}/convert-all',
      path: `/evidence-conversion/${order_id}/convert-all?force=true`,
      reply: batchStarted,
    },
  ]
}
