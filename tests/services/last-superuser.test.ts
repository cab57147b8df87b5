import { changeUser, removeUser } from '@garantia/server/features/people/users'
import type { Ctx } from '@garantia/server/kernel'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

describe('the last superuser stays (D-40)', () => {
  const LAST = { code: 'conflict', detail: 'O último superusuário ativo não pode ser removido.' }
  const ways = {
    demoted: (ctx: Ctx, id: number) => changeUser(ctx, id, { is_superuser: false }),
    deactivated: (ctx: Ctx, id: number) => changeUser(ctx, id, { is_active: false }),
    removed: (ctx: Ctx, id: number) => removeUser(ctx, id),
  }

  test.each(Object.entries(ways))('when %s by a user who has just stopped being one', async (_, way) => {
    await using alone = await startTestApp()
    const last = await alone.make.user({ is_superuser: true })
    const other = await alone.make.user({ is_superuser: true })
    const { ctx } = await alone.as(other)
    await alone.kernel.ctx.db
      .updateTable('users')
      .set({ is_superuser: false })
      .where('id', '=', other.id)
      .execute()
    await expect(way(ctx, last.id)).rejects.toMatchObject(LAST)
  })

  const pairs = Object.keys(ways).flatMap((one) => Object.keys(ways).map((two) => [one, two] as const))
  test.each(pairs)('when one is %s while the other is %s, by each other', async (one, two) => {
    await using pair = await startTestApp()
    for (let round = 0; round < 4; round++) {
      await pair.kernel.ctx.db.deleteFrom('users').execute()
      const [a, b] = [
        await pair.make.user({ is_superuser: true }),
        await pair.make.user({ is_superuser: true }),
      ]
      const [asA, asB] = [await pair.as(a), await pair.as(b)]
      const ends = await Promise.allSettled([
        ways[one as keyof typeof ways](asA.ctx, b.id),
        ways[two as keyof typeof ways](asB.ctx, a.id),
      ])
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: LAST })
      const left = await pair.kernel.ctx.db
        .selectFrom('users')
        .where('is_superuser', '=', true)
        .where('is_active', '=', true)
        .select('id')
        .execute()
      expect(left).toHaveLength(1)
    }
  })
})
