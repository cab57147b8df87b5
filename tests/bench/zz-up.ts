import { fork } from 'node:child_process'
import { bench, SERVER } from './support.ts'
import { migrateToLatest } from '@garantia/migrations'
import sharp from 'sharp'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
const MBS = Number(process.env.MBS ?? 200), N = Number(process.env.NN ?? 1)
await bench('zz', async (lab) => {
  await migrateToLatest(lab.kernel.ctx.db, lab.kernel.pool)
  const head = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#777' } }).jpeg().toBuffer()
  const user = await lab.make.user({ role: 'admin', is_superuser: true })
  const token = await lab.kernel.ctx.sessions.open(user.id, { ip: null, user_agent: null })
  const brand = await lab.make.brand({}); const company = await lab.make.company()
  const files = Array.from({ length: N }, () => Buffer.concat([head, randomBytes(MBS * 1e6 - head.length)]))
  for (const flags of (process.env.FLAGS ?? '').split('|')) {
    const child = fork(SERVER, { env: { PATH: process.env.PATH, DATABASE_URL: lab.postgres.url, DATA_DIR: lab.dir + '/data', SIGNING_KEY: '5e'.repeat(32), PORT: '0' }, execArgv: ['--import', new URL('./probe.ts', import.meta.url).href, ...flags.split(' ').filter(Boolean)], stdio: ['ignore', process.env.TRACE ? 'inherit' : 'ignore', 'inherit', 'ipc'] })
    const wait = (type: string) => new Promise<any>((r) => { const f = (m: any) => { if (m.type === type) { child.off('message', f); r(m) } }; child.on('message', f) })
    const { url } = await wait('ready')
    const cpu: number[] = [], ms: number[] = []
    for (let i = 0; i < 8; i++) {
      const order = await lab.make.order({ brand_id: brand.id, company_id: company.id })
      let w = wait('usage'); child.send('usage'); const a = (await w).cpu_ms
      const t = performance.now()
      const B = 'xx'
      const fd: Buffer[] = files.flatMap((f, k) => [Buffer.from(`--${B}\r\nContent-Disposition: form-data; name="files"; filename="a${k}.jpg"\r\n\r\n`), f, Buffer.from('\r\n')])
      fd.push(Buffer.from(`--${B}--\r\n`))
      const r = await fetch(`${url}/api/v1/evidence/${order.id}/upload`, { method: 'POST', body: Readable.toWeb(Readable.from(fd)) as any, duplex: 'half', headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${B}` } } as any)
      if (r.status !== 201) console.log(r.status, await r.text()); else await r.text()
      ms.push(performance.now() - t)
      w = wait('usage'); child.send('usage'); cpu.push((await w).cpu_ms - a)
    }
    console.log(flags.padEnd(50), 'cpu', cpu.map((x) => x.toFixed(0)).join(' '), 'ms', ms.map((x) => x.toFixed(0)).join(' '))
    child.kill('SIGTERM'); await new Promise((r) => child.once('exit', r))
  }
})
