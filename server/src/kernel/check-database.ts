import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { connectionOf } from './connection.ts'
import { problemOf, StartProblem, startProblemFrom } from './start-problem.ts'

const OLDEST = 15
const STARTUP_TIMEOUT_MS = 60_000

/**
 * Errors of a database that is still starting; these are retried for a minute, all others are reported at
 * once.
 */
const COMING_UP = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', '57P03'])

/**
 * Checks that the PostgreSQL of DATABASE_URL answers is version 15 or newer and accepts writes; throws StartProblem
 * otherwise. Waits up to `timeout_ms` for one that is starting; what passes is a PassingStartProblem.
 */
export async function checkDatabase(
  url: string,
  say: (line: string) => void,
  timeout_ms = STARTUP_TIMEOUT_MS,
) {
  refuseInvalidAddress(url)
  const deadline = Date.now() + timeout_ms
  for (let told = false; ; told = true) {
    try {
      return refuseUnfit(await facts(url))
    } catch (error) {
      if (error instanceof StartProblem) throw error
      const { code = '' } = error as { code?: string }
      const reason = error instanceof Error ? error.message || code : String(error)
      if (!COMING_UP.has(code) || Date.now() > deadline)
        throw (
          startProblemFrom(error) ??
          problemOf(error, `O PostgreSQL de DATABASE_URL não aceitou a conexão: ${reason}`)
        )
      if (!told) say(`Aguardando o PostgreSQL de DATABASE_URL (${reason})…`)
      await sleep(1_000)
    }
  }
}

/** Throws StartProblem for what is no address of a PostgreSQL. */
export function refuseInvalidAddress(url: string) {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new StartProblem(
      'DATABASE_URL não é o endereço de um PostgreSQL: escreva-o como postgres://conta:senha@servidor/banco.',
    )
}

interface Facts {
  major: number
  is_read_only: boolean
}

async function facts(url: string): Promise<Facts> {
  const client = new Client({ ...connectionOf(url, 'migração'), connectionTimeoutMillis: 4_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } =
      await client.query<Facts>(`select current_setting('server_version_num')::int / 10000 as major,
      current_setting('transaction_read_only')::boolean as is_read_only`)
    return rows[0] ?? { major: 0, is_read_only: false }
  } finally {
    await client.end()
  }
}

function refuseUnfit({ major, is_read_only }: Facts) {
  if (major < OLDEST)
    throw new StartProblem(
      `O PostgreSQL de DATABASE_URL é da versão ${major}; é preciso a ${OLDEST} ou mais nova.`,
    )
  if (is_read_only)
    throw new StartProblem(
      'O PostgreSQL de DATABASE_URL só aceita leituras: aponte DATABASE_URL para o servidor principal, ou desligue default_transaction_read_only.',
    )
}
