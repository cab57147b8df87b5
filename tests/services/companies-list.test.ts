import { listCompanies } from '@garantia/server/features/catalogue/companies'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const testApp = await startTestApp()
afterAll(() => testApp[Symbol.asyncDispose]())

const boss = await testApp.as(await testApp.make.user({ is_superuser: true }))
await testApp.make.company({
  trading_name: 'Café Auto-10',
  legal_name: 'Café das Flores Ltda',
  tax_id: '7XY8Z9K1000198',
})

describe('the lists (API-20, API-21, API-22)', () => {
  test.each([
    ['CAFE', 1],
    ['café das flores', 1],
    ['flores ltda', 1],
    ['Auto-10', 1],
    ['7X.Y8Z.9K1/0001-98', 1],
    ['7xy8z9', 1],
    ['9K1/00', 1],
    ['café nada', 0],
    ['%', 0],
    ['\\', 0],
  ])('find «%s»: %i (COMP-8)', async (search, count) => {
    expect((await listCompanies(boss.ctx, { search })).count).toBe(count)
  })

  test('filter by type and state, and show only what the caller sees (D-39)', async () => {
    await using other = await startTestApp()
    const matriz = await other.make.company({ trading_name: 'B' })
    const filial = await other.make.company({ trading_name: 'A', parent_id: matriz.id, is_active: false })
    await other.make.company({ trading_name: 'C' })
    const names = async (user: object, query: string) => {
      const { api } = await other.as(await other.make.user(user))
      const { data, count } = (await api('GET', `/companies${query}`)).json()
      expect(count).toBe(data.length)
      return data.map(({ trading_name }: { trading_name: string }) => trading_name).join('')
    }
    const all = { is_superuser: true }
    expect(await names(all, '')).toBe('ABC')
    expect(await names(all, '?type=matriz&is_active=&search=')).toBe('BC')
    expect(await names(all, '?is_active=false')).toBe('A')
    expect(await names(all, '/active')).toBe('BC')
    expect(await names({ company_id: filial.id }, '')).toBe('A')
    expect(await names({ role: 'manager', company_id: matriz.id }, '/paginated')).toBe('AB')
    expect(await names({ company_id: null }, '')).toBe('')
  })

  test('are paged from 1, with 50 per page by default (API-21, CON-12)', async () => {
    await using other = await startTestApp()
    for (let n = 0; n < 7; n++) await other.make.company()
    const { api } = await other.as(await other.make.user({ is_superuser: true }))
    expect((await api('GET', '/companies/paginated')).json()).toMatchObject({
      count: 7,
      total: 7,
      page: 1,
      size: 50,
      pages: 1,
    })
    const page = (await api('GET', '/companies/paginated?page=3&size=3')).json()
    expect([page.data.length, page.pages, page.page]).toEqual([1, 3, 3])
    for (const query of ['page=0', 'page=-1', 'size=0', 'size=101', 'page=x', 'page=99999999'])
      expect((await api('GET', `/companies/paginated?${query}`)).statusCode).toBe(422)
  })

  test('return up to a hundred for a select, with the total (API-22, API-50, CON-12)', async () => {
    await using other = await startTestApp()
    for (let n = 0; n < 101; n++) await other.make.company()
    const { api } = await other.as(await other.make.user({ is_superuser: true }))
    for (const path of ['/companies/active', '/companies', '/companies/active?limit=100']) {
      const { data, count } = (await api('GET', path)).json()
      expect([path, data.length, count]).toEqual([path, 100, 101])
    }
    expect((await api('GET', '/companies/active?limit=101')).statusCode).toBe(422)
  })
})
