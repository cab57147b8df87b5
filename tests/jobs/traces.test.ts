import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import * as media from '../support/media.ts'
import { startTestApp } from '../support/test-app.ts'
import { CONVERSION_TIMEOUT_MS, createOrderFixture } from './order-fixture.ts'
import { spawnServer, spawnWorker, stopProcess } from './process.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: object }[]
  service: unknown
}

/** A collector of OpenTelemetry: takes traces as JSON (OTLP over HTTP). */
async function startCollector() {
  const spans: SentSpan[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span: object) => ({ ...span, service })))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    spans,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  }
}

test('a request, the job that it asks for and the ffmpeg of that job are one trace, which names nobody', {
  timeout: CONVERSION_TIMEOUT_MS,
}, async () => {
  using collector = await startCollector()
  await using testApp = await startTestApp()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { phone, order_id, send, waitUntilConverted } = await createOrderFixture(testApp)
  await send(await media.video(phone, { seconds: 1 }))
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const [server, worker] = await Promise.all([
    spawnServer(testApp, environment),
    spawnWorker(testApp, environment),
  ])
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  const answer = await fetch(
    `${server.url}/api/v1/evidence-conversion/${order_id}/convert-all?rotulo=maria`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${boss.token}`,
        traceparent: `00-${parent.traceId}-${parent.spanId}-01`,
      },
    },
  )
  expect(answer.status).toBe(200)
  await waitUntilConverted()
  // What is still waiting to be sent is sent at the end.
  await Promise.all([stopProcess(server.process, 'SIGTERM'), stopProcess(worker, 'SIGTERM')])

  const spanOf = (name: string, of: { traceId: string; spanId: string }) =>
    collector.spans.find((span) => span.name === name && span.parentSpanId === of.spanId)
  const request = spanOf('POST /api/v1/evidence-conversion/:id/convert-all', parent)
  if (!request) throw new Error(`no request among ${collector.spans.map(({ name }) => name)}`)
  const job = spanOf('convert-evidence', request)
  if (!job) throw new Error(`no job among ${collector.spans.map(({ name }) => name)}`)
  const ffmpeg = spanOf('ffmpeg convert', job)
  expect([request, job, ffmpeg].map((span) => [span?.traceId, span?.service])).toEqual([
    [parent.traceId, { stringValue: 'garantia-servidor' }],
    [parent.traceId, { stringValue: 'garantia-worker' }],
    [parent.traceId, { stringValue: 'garantia-worker' }],
  ])
  expect(JSON.stringify(collector.spans)).not.toContain('maria')
})
