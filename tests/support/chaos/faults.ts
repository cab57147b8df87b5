import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChaosInstallation } from './installation.ts'

export interface Fault {
  name: string
  /** Resolves when it is over, or has only to be got over. */
  strike(): Promise<void>
}

/** Everything that can go wrong; each is over after some seconds. */
export function faultsOf(installation: ChaosInstallation, random: () => number): Fault[] {
  const { supervised, links } = installation
  const anyOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const seconds = (least: number, most: number) => wait(1_000 * (least + random() * (most - least)))
  const named = (part: string) => supervised.filter(({ name }) => name.startsWith(part))
  const linksOf = (part: string) => [...links].filter(([name]) => name.includes(part))
  const kill = (part: string) => async () => void anyOf(named(part)).process?.kill('SIGKILL')
  const freeze = (part: string, most: number) => async () => {
    const { process } = anyOf(named(part))
    process?.kill('SIGSTOP')
    await seconds(1, most)
    process?.kill('SIGCONT')
  }
  const cut = (part: string) => async () => {
    const [, link] = anyOf(linksOf(part))
    link.cut()
    await seconds(0.5, 4)
    link.restore()
  }
  return [
    { name: 'servidor morto (kill -9)', strike: kill('servidor') },
    { name: 'worker morto (kill -9)', strike: kill('worker') },
    { name: 'worker congelado (SIGSTOP)', strike: freeze('worker', 40) },
    { name: 'servidor congelado (SIGSTOP)', strike: freeze('servidor', 8) },
    { name: 'PostgreSQL reiniciado', strike: () => installation.restartPostgres('fast') },
    { name: 'PostgreSQL morto (kill -9)', strike: () => installation.restartPostgres('kill') },
    { name: 'rede com o banco cortada', strike: cut('–postgres') },
    { name: 'rede com o bucket cortada', strike: cut('–bucket') },
    { name: 'rede com os clientes cortada', strike: cut('clientes–') },
    {
      name: 'rede muda: conexões abertas não levam mais nada',
      strike: async () => anyOf([...links])[1].freeze(),
    },
    {
      name: 'rede lenta',
      strike: async () => {
        const [, link] = anyOf([...links])
        link.slow(200)
        await seconds(1, 5)
        link.slow(0)
      },
    },
    {
      name: 'bucket fora para todos',
      strike: async () => {
        const all = linksOf('–bucket').map(([, link]) => link)
        for (const link of all) link.cut()
        await seconds(1, 6)
        for (const link of all) link.restore()
      },
    },
    {
      name: 'disco cheio',
      strike: async () => {
        const path = join(installation.smallDisk, 'cheio')
        const { bavail, bsize } = await statfs(installation.smallDisk)
        await writeFile(path, Buffer.alloc(bavail * bsize)).catch(() => undefined)
        await seconds(1, 6)
        await rm(path, { force: true })
      },
    },
  ]
}
