import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { SECRETS } from '../server/src/kernel/secret-files.ts'

/* What the files of server/deploy say. None of them is run by a test but the profile (tests/operation/container.test.ts). */

const textOf = (name: string) => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')
const deploy = (name: string) => textOf(`server/deploy/${name}`)

interface Service {
  image: string
  build?: { context: string; args: Record<string, string> }
  command?: string[] | string
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks?: string[]
  network_mode?: string
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  privileged?: boolean
}
interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, { internal?: boolean }>
}
const compose: Compose = parse(deploy('compose.yaml'), { merge: true })
const services = Object.entries(compose.services)
const OWN = ['migrate', 'server', 'worker', 'decoder']
/** Secrets of no setting: those of the image of PostgreSQL. */
const OF_DATABASE = ['POSTGRES_PASSWORD', 'DB_OWNER_PASSWORD', 'DB_APP_PASSWORD']

/** What may hold a secret: the name of a setting, or of the other images' variables, without _FILE. */
const isSecret = (name: string) =>
  [...SECRETS, ...OF_DATABASE].some((one) => one === name) || /(PASSWORD|SECRET|TOKEN|_KEY)$/.test(name)

describe('compose', () => {
  test.each(services)('%s drops all capabilities and gets no new privileges', (_, service) => {
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.security_opt?.join()).not.toContain('unconfined')
    expect(service.privileged).toBeUndefined()
  })

  test.each(services)(
    '%s has an image that is given by its digest, or built from one',
    (_, { image, build }) => {
      if (build) expect(build.args.NODE_DIGEST).toMatch(/^\$\{NODE_DIGEST:\?\}$/)
      else expect(image).toMatch(/^[a-z./]+@\$\{[A-Z]+_DIGEST:[?-]\}$/)
    },
  )

  test.each(services)(
    '%s has its secrets as files, and no other',
    (_, { environment = {}, secrets = [] }) => {
      expect(Object.keys(environment).filter(isSecret)).toEqual([])
      const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
      for (const file of files) expect(secrets).toContain(file.replace('/run/secrets/', ''))
      for (const secret of secrets) expect(compose.secrets[secret]).toEqual({ file: `secrets/${secret}` })
      expect(secrets.filter((one) => !OF_DATABASE.includes(one)).length).toBe(
        files.filter((file) => !file.endsWith('/POSTGRES_PASSWORD')).length,
      )
    },
  )

  test.each(OWN)('%s cannot write to its own file system, and adds no capability', (name) => {
    expect(compose.services[name]).toMatchObject({ read_only: true })
    expect(compose.services[name]?.cap_add).toBeUndefined()
  })

  test('the decoder has no network, no secret and no data, and a profile of its own', () => {
    const { decoder, worker } = compose.services
    expect(decoder).toMatchObject({
      command: ['decoder'],
      network_mode: 'none',
      environment: { DECODER_SOCKET: '/run/garantia/decoder.sock' },
      volumes: ['scratch:/data', 'socket:/run/garantia'],
      security_opt: ['no-new-privileges:true', 'seccomp=./seccomp-decoder.json'],
    })
    expect([decoder?.secrets, decoder?.networks]).toEqual([undefined, undefined])
    expect(worker?.environment).toMatchObject({ DECODER_SOCKET: '/run/garantia/decoder.sock' })
    expect(worker?.volumes).toEqual(['data:/data', 'socket:/run/garantia:ro'])
  })

  test('the owner’s password is in the container that migrates alone, the first superuser’s in the server’s', () => {
    const having = (secret: string) =>
      services.filter(([, { secrets }]) => secrets?.includes(secret)).map(([name]) => name)
    expect(having('MIGRATION_DATABASE_URL')).toEqual(['migrate'])
    expect(having('DB_OWNER_PASSWORD')).toEqual(['db'])
    expect(having('POSTGRES_PASSWORD')).toEqual(['db'])
    expect(having('FIRST_SUPERUSER_PASSWORD')).toEqual(['server'])
  })

  test('the database is in a network that reaches nobody outside', () => {
    expect(compose.services.db?.networks).toEqual(['database'])
    expect(compose.networks.database).toEqual({ internal: true })
    expect(compose.services.proxy?.networks).toEqual(['default'])
  })

  test('every secret is made by make-secrets.sh, and kept out of Git', () => {
    for (const name of Object.keys(compose.secrets))
      expect(deploy('make-secrets.sh')).toMatch(new RegExp(`\\b${name}\\b`))
    expect(textOf('.gitignore').split('\n')).toEqual(
      expect.arrayContaining(['/server/deploy/.env', '/server/deploy/secrets/']),
    )
  })

  test('the proxy logs no addresses, as documented', () => {
    const filter = /^\{\n.*?^\}\n/ms
    const plain = (text: string) => filter.exec(text)?.[0].replace(/^\s+/gm, '')
    const documented = /```caddyfile\n(.*?)```/s.exec(textOf('docs/operating.md'))?.[1] ?? ''
    expect(plain(deploy('Caddyfile'))).toContain('request>uri delete')
    expect(plain(deploy('Caddyfile'))).toBe(plain(documented))
  })
})

const FROM = 'FROM docker.io/library/node@$' + '{NODE_DIGEST}'
test('the image is built from a digest that has to be given, and takes nothing but the context', () => {
  const lines = deploy('Containerfile').split('\n')
  expect(lines.filter((line) => /^(ARG|FROM|COPY|ADD)\b/.test(line))).toEqual([
    'ARG NODE_DIGEST',
    `${FROM} AS build`,
    'COPY . .',
    FROM,
    'COPY --from=build /app /app',
  ])
})

interface Container {
  name: string
  image: string
  env?: { name: string; value?: string; valueFrom?: unknown }[]
  envFrom?: object[]
  securityContext: { seccompProfile?: object }
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}
interface Pod {
  automountServiceAccountToken: boolean
  hostNetwork?: boolean
  shareProcessNamespace?: boolean
  securityContext: object
  containers: Container[]
  volumes: { name: string; secret?: { secretName: string }; emptyDir?: object }[]
}
interface Manifest {
  kind: string
  metadata: { name: string }
  spec: { template?: { metadata: { labels: Record<string, string> }; spec: Pod } } & Record<string, unknown>
}
const manifests = parseAllDocuments(deploy('kubernetes.yaml')).map((one): Manifest => one.toJS())
const pods = manifests.flatMap(({ metadata, spec }) =>
  spec.template
    ? [{ name: metadata.name, labels: spec.template.metadata.labels, pod: spec.template.spec }]
    : [],
)
const containers = pods.flatMap(({ pod }) =>
  pod.containers.map((container) => ({ pod, container, name: container.name })),
)

describe('Kubernetes', () => {
  test.each(pods)(
    '$name runs without root, service-account token and unconfined profile',
    ({ pod, labels }) => {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(JSON.stringify(pod)).not.toMatch(
        /Unconfined|hostNetwork|hostPID|hostIPC|hostPath|"shareProcessNamespace":true/,
      )
      expect(labels.app).toBe('garantia')
    },
  )

  test.each(containers)('$name has no right, a digest and its secrets as files', ({ pod, container }) => {
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.image).toMatch(/^garantia@sha256:[0-9a-f]{64}$/)
    expect(container.env?.filter(({ name, valueFrom }) => isSecret(name) || valueFrom)).toEqual([])
    expect(JSON.stringify(container.envFrom ?? [])).not.toContain('secretRef')
    const secretPlaces = container.volumeMounts.filter(({ name }) =>
      pod.volumes.some((one) => one.name === name && one.secret),
    )
    for (const { value = '' } of container.env ?? [])
      if (value.startsWith('/run/secrets/'))
        expect(
          secretPlaces.some(({ mountPath }) => value.startsWith(`${mountPath}/`)),
          value,
        ).toBe(true)
  })

  test('the decoder has no secret and no data, and a profile of its own; the worker only its socket', () => {
    const found = containers.find(({ name }) => name === 'decoder')
    expect(found?.container.env).toEqual([{ name: 'DECODER_SOCKET', value: '/run/garantia/decoder.sock' }])
    expect(found?.container.envFrom).toBeUndefined()
    expect(found?.container.volumeMounts.map(({ name }) => name)).toEqual([
      'scratch',
      'scratch-tmp',
      'socket',
    ])
    const mounted = found?.pod.volumes.filter(({ name }) => /^(scratch|scratch-tmp|socket)$/.test(name))
    expect(mounted?.every(({ emptyDir }) => emptyDir)).toBe(true)
    expect(found?.container.securityContext.seccompProfile).toEqual({
      type: 'Localhost',
      localhostProfile: 'garantia-decoder.json',
    })
    const worker = containers.find(({ name }) => name === 'worker')
    const shared = worker?.container.volumeMounts.filter(({ name }) =>
      found?.container.volumeMounts.some((one) => one.name === name),
    )
    expect(shared).toEqual([{ name: 'socket', mountPath: '/run/garantia', readOnly: true }])
  })

  test('the owner’s address is in the job that migrates alone', () => {
    const having = pods.filter(({ pod }) =>
      pod.volumes.some(({ secret }) => secret?.secretName === 'garantia-owner'),
    )
    expect(having.map(({ name }) => name)).toEqual(['garantia-migrate'])
  })

  test('no pod reaches or is reached by anything that is not named', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec)
    const all = { podSelector: { matchLabels: { app: 'garantia' } } }
    expect(policies).toContainEqual({ ...all, policyTypes: ['Ingress', 'Egress'] })
    const rules = policies.flatMap(
      ({ ingress = [], egress = [] }) =>
        [ingress, egress].flat() as { from?: object[]; to?: object[]; ports?: object[] }[],
    )
    for (const { from, to, ports } of rules) {
      expect((from ?? to)?.length).toBeGreaterThan(0)
      expect(ports?.length).toBeGreaterThan(0)
    }
    expect(JSON.stringify(policies)).toContain('"except":["169.254.0.0/16","168.63.129.16/32"]')
  })
})

describe('the profile of the decoder', () => {
  interface Rule {
    names: string[]
    action: string
    args?: object[]
  }
  const profile: { defaultAction: string; syscalls: Rule[] } = JSON.parse(deploy('seccomp-decoder.json'))
  const allowing = (name: string) =>
    profile.syscalls.filter(({ names, action }) => names.includes(name) && action === 'SCMP_ACT_ALLOW')

  test('refuses what it does not name', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
  })

  test('allows sockets of files only, and no namespaces', () => {
    expect(allowing('socket').map(({ args }) => args)).toEqual([[{ index: 0, value: 1, op: 'SCMP_CMP_EQ' }]])
    expect(allowing('clone').map(({ args }) => args)).toEqual([
      [{ index: 0, value: 0x7e020000, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
    ])
  })

  test.each([
    ...[
      'clone3',
      'unshare',
      'setns',
      'mount',
      'umount2',
      'pivot_root',
      'chroot',
      'move_mount',
      'open_tree',
      'fsopen',
    ],
    ...['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd', 'process_madvise'],
    ...['io_uring_setup', 'io_uring_enter', 'bpf', 'perf_event_open', 'userfaultfd', 'keyctl', 'add_key'],
    ...['init_module', 'finit_module', 'kexec_load', 'reboot', 'swapon', 'acct', 'quotactl', 'personality'],
    ...['open_by_handle_at', 'mknod', 'mknodat', 'socketcall', 'fanotify_init', 'lookup_dcookie', 'syslog'],
  ])('does not allow %s', (name) => {
    expect(allowing(name)).toEqual([])
  })
})
