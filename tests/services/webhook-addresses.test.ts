import { createWebhook } from '@garantia/server/features/system/webhooks'
import { NO_PASSWORD, webhookInput } from '@garantia/shared/webhooks'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isPublic } from '../../server/src/features/system/webhooks/post.ts'
import { callProcedure } from '../api/procedures.ts'
import { startTestApp } from '../support/test-app.ts'

test.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a00:1450:4001:831::200e'])(
  '%s is an address of the internet',
  (address) => expect(isPublic(address)).toBe(true),
)

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::',
  '::1',
  '::127.0.0.1',
  '::10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:168.63.129.16',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
])('%s is not one', (address) => expect(isPublic(address)).toBe(false))

test("a receiver's name and password are refused, and nowhere in the database", async () => {
  await using testApp = await startTestApp()
  const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
  const of = (host: string) => ({ url: `https://${host}/garantia`, topics: ['order'], company_id: null })
  for (const host of ['quem:senha-do-receptor@dms.example', 'senha-do-receptor@dms.example']) {
    const { status, error } = await callProcedure(testApp, boss.token, 'webhooks.create', of(host))
    expect([status, error?.data.detail]).toMatchObject([422, [{ msg: NO_PASSWORD }]])
  }
  await createWebhook(boss.ctx, webhookInput.parse(of('dms.example')))
  const { rows } = await sql<{ row: string }>`select webhooks::text as row from webhooks`.execute(boss.ctx.db)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.row).not.toContain('senha-do-receptor')
})
