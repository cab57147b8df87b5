import { failStrandedArchives, requestArchive } from '@garantia/server/features/evidence/archives'
import { failStrandedRequests, requestExport } from '@garantia/server/features/records/privacy'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())
const { ctx } = testApp.kernel
const { ctx: admin } = await testApp.as(await testApp.make.user({ role: 'admin', full_name: 'Ana Diretora' }))

// Those of files, dossiers and imports: conversion-leases.test.ts, dossier.test.ts, order-import.test.ts.
test.each([
  {
    table: 'package_archives',
    key: 'packages:',
    sweep: failStrandedArchives,
    async ask() {
      const { order_id } = await testApp.make.converted()
      return (await requestArchive(admin, [order_id])).id
    },
  },
  {
    table: 'privacy_requests',
    key: 'privacy:',
    sweep: failStrandedRequests,
    async ask() {
      const email = `cliente${Math.random()}@exemplo.com.br`
      await testApp.make.order({ customer_email: email })
      return (await requestExport(admin, { by: 'email', value: email })).id
    },
  },
] as const)(
  '$table: a row whose job is gone fails, not one that waits or is just being asked for',
  async (one) => {
    const [lost, exhausted, young, waiting] = [
      await one.ask(),
      await one.ask(),
      await one.ask(),
      await one.ask(),
    ]
    for (const id of [lost, young])
      await sql`select graphile_worker.remove_job(${one.key + id})`.execute(ctx.db)
    await sql`select graphile_worker.permanently_fail_jobs(array_agg(id), 'fim') from graphile_worker.jobs
    where key = ${one.key + exhausted}`.execute(ctx.db)
    await ctx.db
      .updateTable(one.table)
      .set({ created_at: new Date(Date.now() - 60_000) })
      .where('id', 'in', [lost, exhausted, waiting])
      .execute()
    await one.sweep(ctx)
    const rows = await ctx.db.selectFrom(one.table).select(['id', 'status']).orderBy('id').execute()
    expect(rows).toEqual([
      { id: lost, status: 'failed' },
      { id: exhausted, status: 'failed' },
      { id: young, status: 'queued' },
      { id: waiting, status: 'queued' },
    ])
  },
)
