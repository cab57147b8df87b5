import type { TestApp } from './test-app.ts'

/** The token of the newest link that was mailed to this person. */
export async function resetToken({ app, kernel: { ctx } }: TestApp, user_id: number) {
  const { email } = await ctx.db
    .selectFrom('users')
    .where('id', '=', user_id)
    .select('email')
    .executeTakeFirstOrThrow()
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/password-recovery/${encodeURIComponent(email)}`,
    remoteAddress: '198.51.100.7',
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const { body } = await ctx.db
    .selectFrom('mails')
    .where('recipient', '=', email)
    .select('body')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return /token=([\w-]+)/.exec(body)?.[1] ?? ''
}
