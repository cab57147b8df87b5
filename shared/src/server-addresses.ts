/** Whether a path belongs to the server, so that it is never a file or a route of the client. */
export const isServerAddress = (path: string) =>
  /^\/(api|trpc|media|live|livez|readyz|docs|directory)(\/|$)/.test(path)
