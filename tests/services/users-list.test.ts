import { listManagers, listUsers } from '@garantia/server/features/people/users'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const matriz = await testApp.make.company({ trading_name: 'Matriz' })
const filial = await testApp.make.company({ parent_id: matriz.id })
const foreign = await testApp.make.company()
const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
const leader = await testApp.make.user({ role: 'manager', company_id: matriz.id, full_name: 'Gestora Um' })
const manager = await testApp.as(leader)
const wanted = await testApp.make.user({
  full_name: 'Antônia Souza',
  email: 'antonia.souza@exemplo.com.br',
  cpf: '52998224725',
})
for (let n = 0; n < 12; n++) await testApp.make.user({ company_id: n % 2 ? matriz.id : filial.id })

describe('the list (API-14)', () => {
  test('shows the users of the caller’s companies and their company’s name, by name (D-39, ADM-6)', async () => {
    const secret = await testApp.make.user({ full_name: 'Zélia Alheia', company_id: foreign.id })
    const lost = await testApp.make.user({ full_name: 'Zé Perdido', company_id: null })
    const shown = await listUsers(manager.ctx, {})
    const ids = shown.data.map(({ id }) => id)
    expect(ids).toContain(leader.id)
    expect(ids).not.toContain(secret.id)
    expect(ids).not.toContain(lost.id)
    expect(shown.count).toBe(ids.length)
    expect(shown.data.find(({ id }) => id === leader.id)).toMatchObject({ company_name: 'Matriz' })
    const names = shown.data.map(({ full_name }) => full_name)
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'pt-BR')))
    const all = (await listUsers(boss.ctx, { limit: 100 })).data.map(({ id }) => id)
    expect(all).toEqual(expect.arrayContaining([secret.id, lost.id]))
    expect(JSON.stringify(shown)).not.toContain('password')
  })

  test.each([
    ['ANTONIA', 1],
    ['antônia souza', 1],
    ['souza antonia', 1],
    ['antonia.souza@', 1],
    ['529.982.247-25', 1],
    ['52998224725', 1],
    ['antonia nada', 0],
    ['%', 0],
    ['_', 0],
    ['\\', 0],
    ["'", 0],
  ])('finds «%s»: %i', async (search, count) => {
    expect((await listUsers(boss.ctx, { search })).data.filter(({ id }) => id === wanted.id)).toHaveLength(
      count,
    )
    if (count === 0) expect((await listUsers(boss.ctx, { search })).count).toBe(0)
  })

  test('pages without gap or repetition (CON-12)', async () => {
    const { count } = await listUsers(boss.ctx, {})
    const seen = new Set<number>()
    for (let skip = 0; skip < count; skip += 5)
      for (const { id } of (await listUsers(boss.ctx, { skip, limit: 5 })).data) seen.add(id)
    expect(seen.size).toBe(count)
  })

  test('of managers contains active managers and admins of the scope, without the edited user (ADM-34)', async () => {
    const idle = await testApp.make.user({ role: 'manager', company_id: matriz.id, is_active: false })
    const other = await testApp.make.user({ role: 'manager', company_id: filial.id })
    const ids = (await listManagers(manager.ctx, other.id)).data.map(({ id }) => id)
    expect(ids).toContain(leader.id)
    expect(ids).not.toContain(idle.id)
    expect(ids).not.toContain(other.id)
    expect((await listManagers(manager.ctx)).data.every(({ role }) => role !== 'technician')).toBe(true)
  })
})
