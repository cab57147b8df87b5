import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { StartProblem } from './problem.ts'
import { codeOf } from './processes.ts'

/** The reason why the address cannot be listened on (EADDRINUSE, EACCES…); undefined when it can. */
function portProblem(port: number, host = '127.0.0.1') {
  return new Promise<string | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(codeOf(error) ?? error.message))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

/**
 * A free port below the range that systems use for outgoing connections, so that it stays free between
 * starts.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    if ((await portProblem(port)) === undefined) return port
  }
}

type Address = { host: string; port: number }

/** The address from HOST and PORT. Throws StartProblem when PORT is not a number from 1 to 65535. */
export function readAddress(env: NodeJS.ProcessEnv): Address {
  const host = env.HOST || '127.0.0.1'
  const port = Number(env.PORT || 8000)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return { host, port }
  throw new StartProblem(`PORT deve ser um número de 1 a 65535, não «${env.PORT}».`)
}

/** Throws StartProblem when the address is in use or may not be used. */
export async function refuseTakenPort({ host, port }: Address) {
  const problem = await portProblem(port, host)
  if (problem === undefined) return
  if (problem !== 'EADDRINUSE') {
    throw new StartProblem(`Não é possível atender em ${host}:${port} (${problem}). Confira HOST e PORT.`)
  }
  throw new StartProblem(
    `A porta ${port} de ${host} já está em uso. Encerre quem a usa, ou escolha outra com PORT.`,
  )
}
