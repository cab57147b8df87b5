import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server on loopback that stores the mails it gets; on a free port, or on that of one that was away. */
export async function startMailServer(port = 0) {
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
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    to: (address: string) => mails.filter(({ to }) => to?.some((one) => one.address === address)),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
