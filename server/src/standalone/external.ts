import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartProblem } from './problem.ts'
import { codeOf } from './processes.ts'

const OLDEST = 15
const STARTUP_TIMEOUT_MS = 60_000

/**
 * Errors of a database that is still starting; these are retried for a minute, all others are reported at
 * once.
 */
const COMING_UP = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', '57P03'])

/**
 * Checks that the PostgreSQL of DATABASE_URL answers and is version 15 or newer; throws StartProblem
 * otherwise. Waits up to `timeout_ms` for one that is starting.
 */
export async function checkExternal(
  url: string,
  say: (line: string) => void,
  timeout_ms = STARTUP_TIMEOUT_MS,
) {
  const deadline = Date.now() + timeout_ms
  for (let told = false; ; told = true) {
    try {
      return refuseOld(await majorVersion(url))
    } catch (error) {
      if (error instanceof StartProblem) throw error
      const code = codeOf(error) ?? ''
      const reason = error instanceof Error ? error.message || code : String(error)
      if (!COMING_UP.has(code) || Date.now() > deadline) {
        throw new StartProblem(`O PostgreSQL de DATABASE_URL não aceitou a conexão: ${reason}`)
      }
      if (!told) say(`Aguardando o PostgreSQL de DATABASE_URL (${reason})…`)
      await sleep(1_000)
    }
  }
}

async function majorVersion(url: string) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  } finally {
    await client.end()
  }
}

function refuseOld(major: number) {
  if (major >= OLDEST) return
  throw new StartProblem(
    `O PostgreSQL de DATABASE_URL é da versão ${major}; é preciso a ${OLDEST} ou mais nova.`,
  )
}
