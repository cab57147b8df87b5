import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server on loopback that stores the mails it gets. */
export async function startMailServer() {
  const mails: Email[] = []
  const server = new SMTPServer({
    // Without a certificate it can offer neither.
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => {
          mails.push(mail)
          done()
        }, done)
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    to: (address: string) => mails.filter(({ to }) => to?.some((one) => one.address === address)),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
