/** Connection refused, broken or shutting down, as reported by pg and the operating system. */
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[123]|25P03|08\w{3}|53300)$/
const TEXTS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error) and is not queryable)/

/** Whether an error says that the database is away for now; its causes are not looked at. */
export const isConnectionLoss = (error: Error) =>
  CODES.test((error as NodeJS.ErrnoException).code ?? '') || TEXTS.test(error.message)
