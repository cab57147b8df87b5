import { migrateToLatest } from '@garantia/migrations'
import { hashPassword } from '@garantia/server/kernel'
import { connect } from './load.ts'
import { isQuick, options } from './options.ts'
import { record } from './record.ts'
import { bench, median, quantile, SERVER } from './support.ts'

/** Whether sixteen sign-ins at once keep other requests waiting (goal P13). */
const AT_ONCE = 16
const ROUNDS = options.rounds ?? (isQuick ? 1 : 5)
const CALLS = 40

await bench('Sign-in', async (benchContext) => {
  await migrateToLatest(benchContext.kernel.pool)
  const password = 'quatro-pneus-novos-e-um-filtro'
  const password_hash = await hashPassword(password, 'bench')
  const people = []
  for (let n = 0; n < AT_ONCE; n++)
    people.push(await benchContext.make.user({ role: 'admin', is_superuser: true, password_hash }))
  const token = await benchContext.kernel.ctx.sessions.open(people[0]?.id ?? 0, {
    ip: null,
    user_agent: null,
  })
  const server = await benchContext.start(SERVER)
  const connections = connect(server.url, 1)
  const call = { path: '/api/v1/users/me', token }
  const waits = async () => {
    const times: number[] = []
    for (let n = 0; n < CALLS; n++) {
      const start = performance.now()
      await connections.ask(call)
      times.push(performance.now() - start)
    }
    return times
  }
  const signIn = async (username: string, place: number) => {
    const answer = await fetch(`${server.url}/api/v1/login/access-token`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
      headers: { 'x-forwarded-for': `203.0.113.${place + 1}` },
    })
    if (answer.status !== 200) throw new Error(`the sign-in answered ${answer.status} ${await answer.text()}`)
    await answer.text()
  }
  await waits()
  const [idle, busy, spent]: number[][] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    idle?.push(...(await waits()))
    const start = performance.now()
    const signingIn = Promise.all(people.map(({ email }, place) => signIn(email, place)))
    busy?.push(...(await waits()))
    await signingIn
    spent?.push((performance.now() - start) / AT_ONCE)
  }
  await connections.close()
  const p95 = (times: number[] = []) => quantile(times, 0.95)
  record(
    { name: `${AT_ONCE} sign-ins at once, delay of others`, unit: 'ms', product: p95(busy) - p95(idle) },
    { name: 'sign-in', unit: 'ms', product: median(spent ?? []) },
  )
})
