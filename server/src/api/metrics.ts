import { createServer } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readWork } from '../features/system/work-state/service.ts'
import type { Ctx } from '../kernel/context.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60]

/** Metrics of this server, of queue, workers and disk, for Prometheus. */
export interface Metrics {
  /** Counts an answered request. */
  onAnswer(request: FastifyRequest, reply: FastifyReply): void
  /** Serves `/metrics` on a port of its own, which a proxy does not publish; returns how to end it, and the port. */
  listen(address: { host: string; port: number }): Promise<{ port: number; close: () => Promise<void> }>
}

/** Values of the database are read with each scrape; `garantia_up` is 0 when it does not answer. */
export function openMetrics(ctx: Ctx, pool: Pool): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const times = new Histogram({
    name: 'garantia_http_request_seconds',
    help: 'Time of requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const errors = new Counter({
    name: 'garantia_http_errors_total',
    help: 'Requests answered with a status from 500 on',
    labelNames: ['route'],
    registers,
  })
  const gauge = (name: string, help: string) => new Gauge({ name: `garantia_${name}`, help, registers })
  const up = gauge('up', '1 when the database answers this server')
  const work = {
    workers: gauge('workers', 'Workers that give a sign of life'),
    frozen: gauge('workers_frozen', 'Workers that hold their lock without a sign of life'),
    queued: gauge('queue_jobs', 'Jobs that wait and could run'),
    running: gauge('queue_running', 'Jobs that run'),
    given_up: gauge('queue_given_up', 'Jobs whose attempts are used up'),
    oldest_seconds: gauge('queue_oldest_seconds', 'How long the oldest job waits that could run'),
    free: gauge('disk_free_bytes', 'Free bytes of the disk with the data folder'),
    total: gauge('disk_bytes', 'All bytes of that disk'),
  }
  const paused = gauge('queue_paused', '1 while an operator pauses the queue')
  const scheduled = gauge('backup_scheduled', '1 when a backup is made every night')
  const backed_up = gauge(
    'last_backup_timestamp_seconds',
    'When the last complete backup ended; 0 without one',
  )
  const stored = gauge('stored_bytes', 'Bytes that all companies keep')
  const unsent = gauge('mails_unsent', 'Mails that were not sent yet')
  const files = new Gauge({
    name: 'garantia_evidence_files',
    help: 'Files of orders by the state of their conversion',
    labelNames: ['status'],
    registers,
  })
  const connections = new Gauge({
    name: 'garantia_pool_connections',
    help: 'Connections of the pool of this server',
    labelNames: ['state'],
    registers,
  })

  async function collect() {
    connections.set({ state: 'open' }, pool.totalCount)
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'awaited' }, pool.waitingCount)
    try {
      const state = await readWork(ctx)
      for (const [name, one] of Object.entries(work)) one.set(state[name as keyof typeof work])
      paused.set(Number(state.is_paused))
      scheduled.set(Number(state.is_backup_scheduled))
      backed_up.set((state.backed_up_at?.getTime() ?? 0) / 1_000)
      const { rows } = await sql<{ stored: number; unsent: number }>`
        select coalesce((select sum(bytes) from storage_totals), 0)::bigint as stored,
          (select count(*)::int from mails where sent_at is null) as unsent`.execute(ctx.db)
      stored.set(rows[0]?.stored ?? 0)
      unsent.set(rows[0]?.unsent ?? 0)
      const states = await ctx.db
        .selectFrom('evidence_files')
        .where('deleted_at', 'is', null)
        .groupBy('status')
        .select(({ fn }) => ['status', fn.countAll<number>().as('n')])
        .execute()
      files.reset()
      for (const { status, n } of states) files.set({ status }, n)
      up.set(1)
    } catch (err) {
      ctx.log.warn({ err }, 'medidas incompletas')
      up.set(0)
    }
  }

  return {
    onAnswer(request, reply) {
      const route = request.routeOptions.url ?? 'none'
      const status = String(reply.statusCode)
      times.observe({ method: request.method, route, status }, reply.elapsedTime / 1_000)
      if (reply.statusCode >= 500) errors.inc({ route })
    },
    async listen({ host, port }) {
      const server = createServer((request, response) => {
        if (request.url !== '/metrics') return void response.writeHead(404).end()
        collect()
          .then(() => registry.metrics())
          .then(
            (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
            () => response.writeHead(500).end(),
          )
      })
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      const address = server.address()
      return {
        port: typeof address === 'object' && address ? address.port : port,
        close: () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      }
    },
  }
}
