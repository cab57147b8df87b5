import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const FOR_STAMPING = 'extendedKeyUsage=critical,timeStamping'
const SETTINGS = `[tsa]
default_tsa = test
[test]
serial = serial
signer_cert = tsa.pem
certs = root.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`

/** A time-stamping authority (RFC 3161): OpenSSL's, behind HTTP, with a root and certificates of its own. */
export async function startTimeAuthority() {
  const dir = temporaryFolder('carimbo')
  const openssl = (...args: string[]) => run('openssl', args, { cwd: dir })
  const root = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-subj', '/CN=Raiz de Teste']
  await openssl('req', ...root, '-keyout', 'root.key', '-out', 'root.pem', '-addext', 'keyUsage=keyCertSign')
  for (const [name, usage] of [
    ['tsa', FOR_STAMPING],
    ['plain', 'extendedKeyUsage=critical,codeSigning'],
  ] as const) {
    const subject = name === 'tsa' ? '/CN=Carimbo de Teste' : '/CN=Outro Uso'
    await openssl('req', '-new', ...EC, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
    await writeFile(join(dir, 'extensions'), `keyUsage=critical,digitalSignature\n${usage}\n`)
    const signing = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '365']
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...signing,
      '-extfile',
      'extensions',
      '-out',
      `${name}.pem`,
    )
  }
  await writeFile(join(dir, 'tsa.cnf'), SETTINGS)
  await writeFile(join(dir, 'serial'), '01')

  const state = { isDown: false, elsewhere: '', requests: 0, authorization: '' }
  /** The answer to a request, both in DER. */
  async function stamp(query: Uint8Array): Promise<Buffer> {
    await writeFile(join(dir, 'query'), query)
    await openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query', '-out', 'answer')
    return readFile(join(dir, 'answer'))
  }
  const server = createServer(async (request, reply) => {
    state.requests++
    state.authorization = request.headers.authorization ?? ''
    const query = await buffer(request)
    if (state.isDown) return reply.writeHead(503).end()
    if (state.elsewhere) return reply.writeHead(307, { location: state.elsewhere }).end()
    reply.setHeader('content-type', 'application/timestamp-reply').end(await stamp(query))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    state,
    stamp,
    url: `http://127.0.0.1:${port}/`,
    roots: join(dir, 'root.pem'),
    /** The same statement, signed by a certificate of the same root that is not for stamping. */
    async withoutPurpose(answer: Uint8Array): Promise<Buffer> {
      await writeFile(join(dir, 'good'), answer)
      await openssl('ts', '-reply', '-in', 'good', '-token_out', '-out', 'token')
      const cms = ['-inform', 'DER', '-noverify', '-CAfile', 'root.pem']
      await openssl('cms', '-verify', '-in', 'token', ...cms, '-out', 'statement')
      const type = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-nodetach', '-binary', '-cades']
      const signer = ['-signer', 'plain.pem', '-inkey', 'plain.key', '-certfile', 'root.pem', '-md', 'sha256']
      await openssl(
        'cms',
        '-sign',
        '-in',
        'statement',
        ...type,
        ...signer,
        '-outform',
        'DER',
        '-out',
        'plain',
      )
      const granted = Buffer.from('3003020100', 'hex')
      const content = Buffer.concat([granted, await readFile(join(dir, 'plain'))])
      const head = Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff])
      return Buffer.concat([head, content])
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
